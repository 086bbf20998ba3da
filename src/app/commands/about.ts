import type { Command } from "../Command.ts";
import { refuseArguments } from "../commandLine.ts";
import { listRooms, readPackageFacts } from "../packageFacts.ts";

export const about: Command = {
  name: "about",
  summary: "Say what this build has; this is what runs when no command is given.",
  examples: ["tongate", "tongate about"],
  run: async (terminal, args) => {
    refuseArguments("about", args);
    terminal.write(describeBuild());
  },
};

function describeBuild(): string {
  const { name, version, description } = readPackageFacts();
  return [
    `${name} ${version}`,
    description,
    "",
    "The service does not exist yet: this build answers no requests.",
    `Rooms in this build: ${listRooms().join(", ")}.`,
    "",
    "  npm test                 type check, lint and all tests",
    "  npm run bench            all figures, as ratios",
    "  npm start -- --help      the commands",
    "",
  ].join("\n");
}
