import { systemClock } from "../../lib/clock.ts";
import type { Command, Terminal } from "../Command.ts";
import { allSettings, systemSources } from "../config.ts";
import { type Finding, formatFinding, formatVerdict } from "../doctor/Finding.ts";
import { AppError } from "../errors.ts";
import { type ConfigSources, mergeSettings, parseOwnFlags, refuseUnknownFlag } from "../options.ts";
import { styleFor } from "../terminal/style.ts";
import { jsonOption, writeFacts } from "../terminal/writeFacts.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "Check everything the service needs and print how to fix each problem; exits with 1 if there is one.",
  examples: [
    "tongate doctor",
    "tongate doctor --network mainnet",
    "tongate doctor --network mine --config tongate.json",
  ],
  options: jsonOption,
  settings: allSettings,
  run: (terminal, args) => runDoctor(terminal, args, systemSources),
};

/** Writes one verdict, then a line for each check; throws "app/problems" when some found a fault. */
export async function runDoctor(terminal: Terminal, args: readonly string[], sources: ConfigSources): Promise<void> {
  const { examine } = await import("../doctor/examine.ts");
  const { own, rest } = parseOwnFlags(args, jsonOption);
  refuseUnknownFlag(rest, { ...jsonOption, ...allSettings }, allSettings);
  const findings: Finding[] = [];
  for await (const finding of examine(rest, { clock: systemClock, sources })) findings.push(finding);
  const problems = findings.filter(({ kind }) => kind === "problem").length;
  const style = styleFor(terminal);
  const verdict = formatVerdict(findings);
  const head = `${problems === 0 ? style.good(verdict) : style.bad(verdict)}\n\n`;
  const facts = { problems, verdict, findings };
  const format = mergeSettings(jsonOption, [own]).values;
  writeFacts(terminal, format, facts, () => `${head}${findings.map((each) => formatFinding(each, style)).join("")}`);
  if (problems > 0) throw new AppError("app/problems", `${problems} ${problems === 1 ? "problem" : "problems"} found`);
}
