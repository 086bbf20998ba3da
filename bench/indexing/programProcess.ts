import { loadConfig } from "../../src/app/config.ts";
import { indexConfigured, serveConfigured } from "../../src/app/serve.ts";
import type { ProgramNote, Used } from "./messages.ts";

/* Runs `tongate index` or `tongate serve` with command-line options and reports its resource usage. */

const [command, ...args] = process.argv.slice(2);
const quiet = { write: () => {}, writeError: () => {} };
const report = (note: ProgramNote) => process.send?.(note);

async function start(): Promise<readonly string[]> {
  const { config } = loadConfig(args);
  if (command === "serve") return (await serveConfigured(config, quiet)).origins;
  await indexConfigured(config, quiet);
  return [];
}

process.on("disconnect", () => process.exit());
const origins = await start();
const before = process.cpuUsage();
report({ kind: "running", origins });

function used(): Used {
  const { user, system } = process.cpuUsage(before);
  return { cpuSeconds: (user + system) / 1e6, megabytes: process.resourceUsage().maxRSS / 1024 };
}

process.on("message", () => report({ kind: "used", used: used() }));
