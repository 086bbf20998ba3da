import type { RunningService } from "../../src/app/Command.ts";
import { loadConfig } from "../../src/app/config.ts";
import { indexConfigured, serveConfigured } from "../../src/app/start/serve.ts";
import type { ProgramNote, ProgramRequest, Used } from "./messages.ts";

/* Runs `tongate index` or `tongate serve` with command-line options and reports its resource usage. */

const [command, ...firstArgs] = process.argv.slice(2);
const quiet = { write: () => {}, writeError: () => {} };
const report = (note: ProgramNote): void => void process.send?.(note);
let running: RunningService | undefined;
let before = process.cpuUsage();

async function start(args: readonly string[]): Promise<void> {
  const { config } = loadConfig(args);
  let origins: readonly string[] = [];
  if (command === "serve") {
    const service = await serveConfigured(config, quiet);
    running = service;
    origins = service.origins;
  } else {
    running = await indexConfigured(config, quiet);
  }
  before = process.cpuUsage();
  report({ kind: "running", origins });
}

function used(): Used {
  const { user, system } = process.cpuUsage(before);
  return { cpuSeconds: (user + system) / 1e6, megabytes: process.resourceUsage().maxRSS / 1024 };
}

async function answer(request: ProgramRequest): Promise<void> {
  if (request.kind === "used") return report({ kind: "used", used: used() });
  await running?.close();
  await start(request.args);
}

process.on("disconnect", () => process.exit());
process.on("message", (request: ProgramRequest) => void answer(request));
await start(firstArgs);
