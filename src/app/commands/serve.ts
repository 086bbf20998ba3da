import type { Command } from "../Command.ts";
import { loadConfig } from "../config.ts";
import { AppError } from "../errors.ts";
import { serveLocal } from "../serveLocal.ts";
import { untilStopped } from "../untilStopped.ts";

export const serve: Command = {
  name: "serve",
  summary: "Answer v2 over HTTP from a local network; this is what runs when no command is given.",
  examples: ["tongate", "tongate serve --port 9000", "tongate serve --data .tongate/mine"],
  run: async (terminal, args) => {
    const { config } = loadConfig(args);
    if (config.network !== "localnet")
      throw new AppError("app/config", `--network ${config.network}: this build serves only its own network, localnet`);
    const unused = (["globalConfig", "database", "redis"] as const).find((name) => config[name] !== undefined);
    if (unused !== undefined || config.trust)
      throw new AppError("app/config", `${unused ?? "trust"}: this build has no use for it and will not pretend to`);
    const running = await serveLocal(config, terminal);
    await untilStopped();
    terminal.write("\nstopping…\n");
    await running.close();
    terminal.write("stopped\n");
  },
};
