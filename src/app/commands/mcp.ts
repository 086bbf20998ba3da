import { textArg } from "../../lib/kit/basicArgs.ts";
import { declareCommand } from "../client/declareCommand.ts";
import { keyOption } from "../client/loadClients.ts";
import { originOf } from "../client/requestServer.ts";
import { systemSources } from "../config.ts";
import { AppError } from "../errors.ts";
import { planOneNetwork } from "../networks/planNetworks.ts";
import { option } from "../options.ts";
import { notWords } from "../terminal/commandLine.ts";

export const mcp = declareCommand({
  name: "mcp",
  summary:
    "Offer the operations of a running server as tools to AI assistants, by the Model Context Protocol over standard " +
    "input and output. Only a local network has tools that change something.",
  examples: ["tongate mcp", "tongate mcp --network mainnet", "tongate mcp --url https://example.org --api-key KEY"],
  options: {
    url: option(
      textArg({ minLength: 1, maxLength: 2_000 }),
      undefined,
      "URL of another server, without a path; unset: the running server of the data folder.",
      {
        value: "URL",
      },
    ),
    ...keyOption,
  },
  server: "configured",
  run: async (terminal, { config, words, own }) => {
    if (words.length > 0) throw new AppError("app/usage", `mcp takes no arguments${notWords(words)}`);
    const { runMcp } = await import("../mcp/runMcp.ts");
    await runMcp(
      {
        origin:
          own.url === undefined
            ? originOf(planOneNetwork(config, systemSources.findFile).listen)
            : parseOrigin(own.url),
        ...own,
      },
      process.stdin,
      terminal,
    );
  },
});

function parseOrigin(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new AppError("app/usage", `--url is not a URL of http or https: ${url}`);
  return new URL(url).origin;
}
