import { systemClock } from "../../lib/clock.ts";
import type { Command, Terminal } from "../Command.ts";
import { allSettings, type ConfigSources, systemSources } from "../config.ts";
import { formatFinding } from "../doctor/Finding.ts";
import { AppError } from "../errors.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "Check everything a service needs, and say how to fix problems; exit code 1 if there are any.",
  examples: [
    "tongate doctor",
    "tongate doctor --network mainnet",
    "tongate doctor --network mine --config tongate.json",
  ],
  settings: allSettings,
  run: (terminal, args) => runDoctor(terminal, args, systemSources),
};

/** Writes a line for each check; throws "app/problems" when some found a fault. */
export async function runDoctor(terminal: Terminal, args: readonly string[], sources: ConfigSources): Promise<void> {
  const { examine } = await import("../doctor/examine.ts");
  let problems = 0;
  for await (const finding of examine(args, { clock: systemClock, sources })) {
    problems += finding.kind === "problem" ? 1 : 0;
    terminal.write(formatFinding(finding));
  }
  if (problems > 0) throw new AppError("app/problems", `${problems} ${problems === 1 ? "problem" : "problems"} found`);
}
