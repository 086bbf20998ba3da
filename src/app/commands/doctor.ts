import { systemClock } from "../../lib/clock.ts";
import type { Command, Terminal } from "../Command.ts";
import { allSettings, systemSources } from "../config.ts";
import { type Finding, formatFinding, formatVerdict } from "../doctor/Finding.ts";
import { AppError } from "../errors.ts";
import type { ConfigSources } from "../options.ts";
import { styleFor } from "../terminal/style.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "Check everything the service needs and print how to fix each problem; exits with 1 if there is one.",
  examples: [
    "tongate doctor",
    "tongate doctor --network mainnet",
    "tongate doctor --network mine --config tongate.json",
  ],
  settings: allSettings,
  run: (terminal, args) => runDoctor(terminal, args, systemSources),
};

/** Writes one verdict, then a line for each check; throws "app/problems" when some found a fault. */
export async function runDoctor(terminal: Terminal, args: readonly string[], sources: ConfigSources): Promise<void> {
  const { examine } = await import("../doctor/examine.ts");
  const findings: Finding[] = [];
  for await (const finding of examine(args, { clock: systemClock, sources })) findings.push(finding);
  const problems = findings.filter(({ kind }) => kind === "problem").length;
  const style = styleFor(terminal);
  const verdict = formatVerdict(findings);
  terminal.write(`${problems === 0 ? style.good(verdict) : style.bad(verdict)}\n\n`);
  for (const finding of findings) terminal.write(formatFinding(finding, style));
  if (problems > 0) throw new AppError("app/problems", `${problems} ${problems === 1 ? "problem" : "problems"} found`);
}
