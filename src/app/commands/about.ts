import type { Command } from "../Command.ts";
import { refuseArguments } from "../commandLine.ts";
import { listRooms, readPackageFacts } from "../packageFacts.ts";

export const about: Command = {
  name: "about",
  summary: "Say what this build has.",
  examples: ["tongate about"],
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
    "This build answers v2 from a network of its own, or from lite servers of any network; v3 is not there yet.",
    `Rooms in this build: ${listRooms().join(", ")}.`,
    "",
    "  npm test                 type check, lint and all tests",
    "  npm run bench            all figures, as ratios",
    "  npm start                the service on a local network",
    "  npm start -- --help      the commands",
    "",
  ].join("\n");
}
