import { writeFileSync } from "node:fs";
import { systemClock } from "../../lib/clock.ts";
import { formatJson } from "../../lib/json.ts";
import type { Terminal } from "../Command.ts";
import type { AppConfig } from "../config.ts";
import { AppError } from "../errors.ts";
import { withChain } from "../replay/withChain.ts";
import { styleFor } from "../terminal/style.ts";
import { withMessagesAside, writeFacts } from "../terminal/writeFacts.ts";
import { AuditReport } from "./AuditReport.ts";
import { compareMeanings } from "./compareMeanings.ts";
import { type Different, judgeAgain, judgeLive, tryProve } from "./judge.ts";
import { judgeShown, judgeShownAgain } from "./judgeShown.ts";
import { makeQuestions } from "./makeQuestions.ts";
import { Prover } from "./Prover.ts";
import { Provider } from "./Provider.ts";
import { findV3Name, type Question } from "./Question.ts";

export interface AuditOptions {
  readonly apiKey: string | undefined;
  /** Only these operations; all by default. */
  readonly operations: readonly string[];
  /** How long to ask about one block after the other; absent: about one block. */
  readonly minutes: number | undefined;
  /** Requests a second. */
  readonly rate: number;
  readonly addresses: readonly string[];
  /** Where the report is written with its proofs. */
  readonly out: string | undefined;
  readonly json: boolean;
}

/** How far behind the newest block a question is asked, so that a service that is a little behind knows it. */
const behind = 5;
/** How many blocks later a difference is judged again. */
const newerBlocks = 3;
/** How long the questions about one block may take. */
const maxBlockMinutes = 60;

/**
 * Asks a service about the newest blocks of the configured network and compares its answers with proved ones. Throws
 * "app/problems" when one is different and "app/unproved" when none could be compared.
 */
export async function runAudit(
  config: AppConfig,
  url: string,
  options: AuditOptions,
  terminal: Terminal,
): Promise<void> {
  const base = baseOf(url);
  const report = new AuditReport();
  const patienceMs = ((options.minutes ?? 0) + maxBlockMinutes) * 60_000;
  const messages = withMessagesAside(terminal, { json: true });
  await withChain(
    config,
    messages,
    async (_chain, { services, log, signal }) => {
      const prover = new Prover({ services, clock: systemClock, log, signal });
      const provider = new Provider({ ...options, base }, { clock: systemClock, signal });
      await checkNetwork(base, prover, provider);
      await askAll({ prover, provider, report }, options, messages);
    },
    patienceMs,
  );
  const facts = report.facts(base);
  if (options.out !== undefined) writeFileSync(options.out, `${formatJson(facts)}\n`);
  writeFacts(terminal, options, facts, () => report.format(styleFor(terminal)));
  const different = report.count("different");
  if (different > 0)
    throw new AppError("app/problems", `${different} of ${report.compared} answers are not what the chain says`);
  if (report.compared === 0) throw new AppError("app/unproved", `no answer of ${base} could be compared`);
}

/** The base of the operations of v2, from any URL of a service. */
function baseOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new AppError("app/usage", `"${url}" is not an HTTP address; write it as https://example.org/api/v2`);
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, "").replace(/\/jsonRPC$/, "");
  return `${origin}${path === "" ? "/api/v2" : path}`;
}

/** Another network would differ in everything. */
async function checkNetwork(base: string, prover: Prover, provider: Provider): Promise<void> {
  const question = { operation: "getMasterchainInfo", args: {} };
  const answer = await provider.ask(question);
  if (answer.kind === "refused") throw new AppError("app/unproved", `${base} does not answer: ${answer.reason}`);
  const [ours, theirs] = [(await prover.prove(question)).result, answer.result].map(
    (info) => Object(info).init ?? null,
  );
  if (compareMeanings(ours, theirs).disagreements.length > 0)
    throw new AppError("app/usage", `${base} serves another network; name its network with --network`);
}

interface AuditParts {
  readonly prover: Prover;
  readonly provider: Provider;
  readonly report: AuditReport;
}

/** Asks about one block, or about one after the other until the time is over. */
async function askAll({ prover, provider, report }: AuditParts, options: AuditOptions, messages: Terminal) {
  const { minutes = 0, addresses, operations } = options;
  const endMs = systemClock.monotonic() + minutes * 60_000;
  const isOver = () => systemClock.monotonic() >= endMs;
  const askChain = async (question: Question) => {
    const proved = await tryProve(question, prover);
    return "reason" in proved ? undefined : proved.result;
  };
  const withIndex = (await provider.askIndexSeqno()) !== undefined;
  if (!withIndex) messages.write("v3 does not answer: only v2 is compared\n");
  do {
    const seqno = Math.max(1, prover.headSeqno - behind);
    const all = await makeQuestions({ seqno, addresses, withIndex }, askChain);
    const questions = all.filter(({ operation }) => operations.length === 0 || operations.includes(operation));
    if (questions.length === 0) refuseNames(operations, all);
    messages.write(`block ${seqno}: ${questions.length} questions\n`);
    const doubtful: (readonly [Question, Different])[] = [];
    for (const question of questions) {
      const judge = findV3Name(question) === undefined ? judgeLive : judgeShown;
      const judgement = await judge(question, prover, provider);
      if (judgement.kind === "different") doubtful.push([question, judgement]);
      else report.add(question, judgement);
      if (minutes > 0 && isOver()) break;
    }
    if (doubtful.length > 0) await prover.waitForBlocks(newerBlocks);
    for (const [question, different] of doubtful) {
      const { shownAt } = different;
      const judged = shownAt
        ? judgeShownAgain(question, { ...different, shownAt }, prover)
        : judgeAgain(question, different, prover);
      report.add(question, await judged);
    }
  } while (!isOver());
}

function refuseNames(names: readonly string[], all: readonly Question[]): never {
  const known = [...new Set(all.map(({ operation }) => operation))].join(", ");
  throw new AppError("app/usage", `nothing to ask about ${names.join(", ")}; audit compares ${known}`);
}
