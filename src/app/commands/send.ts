import { existsSync, readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { boolArg } from "../../lib/kit/basicArgs.ts";
import { declareCommand } from "../client/declareCommand.ts";
import { keyOption, loadClients } from "../client/loadClients.ts";
import { readBag } from "../client/readBag.ts";
import { AppError } from "../errors.ts";
import { option } from "../options.ts";
import { notWords } from "../terminal/commandLine.ts";
import { jsonOption, writeFacts } from "../terminal/writeFacts.ts";

export const send = declareCommand({
  name: "send",
  summary: "Send an external message through the running server, and wait for all that it causes.",
  usage: ["FILE", "BASE64", "-"],
  examples: [
    "tongate send message.boc",
    "tongate send te6cckEBAQEAAgAAAEysuc0= --no-wait",
    "cat message.boc | tongate send - --network mainnet",
  ],
  options: {
    wait: option(boolArg(), true, "Wait for the whole trace, which needs an index.", { isFlag: true }),
    ...jsonOption,
    ...keyOption,
  },
  server: "configured",
  run: async (terminal, { config, words, own }) => {
    const [source, ...more] = words;
    if (source === undefined || more.length > 0)
      throw new AppError("app/usage", `send takes a file, a bag of cells in base64, or -${notWords(words)}`);
    const { v2, v3 } = await loadClients(config, own);
    const boc = readBag(await readSource(source), source).toString("base64");
    if (!own.wait) {
      const facts = await v2.sendBocReturnHash({ boc });
      writeFacts(terminal, own, facts, () => `sent message ${facts.hash}\n`);
      return;
    }
    const facts = await v3.sendAndWait(boc);
    writeFacts(terminal, own, facts, () => formatTrace(facts));
    if (countFailed(facts) > 0) throw new AppError("app/problems", `${countFailed(facts)} transactions failed`);
  },
});

/** A file, the standard input, or the text itself. */
async function readSource(source: string): Promise<Buffer> {
  if (source === "-") return buffer(process.stdin);
  return existsSync(source) ? readFileSync(source) : Buffer.from(source);
}

type Trace = Readonly<Record<string, unknown>>;
type Transaction = Readonly<Record<string, unknown>>;

/** In the order of the chain. */
function transactionsOf({ transactions }: Trace): readonly Transaction[] {
  const all: Transaction[] = Object.values(Object(transactions));
  return all.sort((a, b) => Number(a.lt) - Number(b.lt));
}

function countFailed(trace: Trace): number {
  return transactionsOf(trace).filter(({ description }) => Object(description).aborted === true).length;
}

function formatTrace(trace: Trace): string {
  const lines = transactionsOf(trace).map(({ account, lt, hash, description }) => {
    const { aborted, compute_ph: compute } = Object(description);
    const outcome = aborted === true ? `failed, exit code ${Object(compute).exit_code ?? "none"}` : "success";
    return `  ${account}\n    lt ${lt}, ${outcome}\n    ${hash}\n`;
  });
  return `trace ${trace.trace_id ?? trace.trace_external_hash_norm}, ${lines.length} transactions:\n${lines.join("")}`;
}
