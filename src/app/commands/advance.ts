import { declareCommand } from "../client/declareCommand.ts";
import { AppError } from "../errors.ts";
import { postLocal } from "../local/localControl.ts";
import { formatSpan } from "../service/parts/describeIndex.ts";
import { notWords } from "../terminal/commandLine.ts";
import { jsonOption, writeFacts } from "../terminal/writeFacts.ts";

const units = new Map([
  ["s", 1],
  ["m", 60],
  ["h", 3_600],
  ["d", 86_400],
]);

/** Seconds in a readable form: 90, 90s, 15m, 2h, 30d. */
function parseSpan(text: string): number | undefined {
  const [, count, unit = "s"] = /^([0-9]{1,9})([smhd])?$/.exec(text) ?? [];
  const seconds = Number(count) * (units.get(unit) ?? Number.NaN);
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : undefined;
}

export const advance = declareCommand({
  name: "advance",
  summary: "Advance the time of the running local network by seconds, or by a number with the unit s, m, h or d.",
  usage: ["SPAN"],
  examples: ["tongate advance 3600", "tongate advance 30d --port 9000"],
  options: jsonOption,
  server: "local",
  run: async (terminal, { config, words, own }) => {
    const [span = "", ...more] = words;
    const seconds = parseSpan(span);
    if (seconds === undefined || more.length > 0)
      throw new AppError("app/usage", `advance takes one span, such as 90, 15m, 2h or 30d${notWords(words)}`);
    const facts = await postLocal(config, "advance", { seconds });
    const time = new Date(Number(facts.now) * 1_000).toISOString().replace(".000Z", "Z");
    const text = `chain time: ${time}, ${formatSpan(Number(facts.ahead))} ahead of this machine's clock\n`;
    writeFacts(terminal, own, facts, () => text);
  },
});
