import type { MethodGas } from "../../chain/replay/GasByMethod.ts";
import { type PreparedRun, replayTransaction } from "../../chain/replay/replay.ts";
import type { LineGas } from "../../chain/replay/SourceTrace.ts";
import { systemClock } from "../../lib/clock.ts";
import { toPrintable } from "../../lib/printable.ts";
import type { MachineStep } from "../../tvm/machine/MachineRun.ts";
import type { Terminal } from "../Command.ts";
import type { AppConfig } from "../config.ts";
import { AppError } from "../errors.ts";
import { AbiFolder } from "../service/parts/AbiFolder.ts";
import { SourceCompiler } from "../service/parts/SourceCompiler.ts";
import { SourceMaps } from "../service/parts/SourceMaps.ts";
import { type Style, styleFor } from "../terminal/style.ts";
import { withMessagesAside, writeFacts } from "../terminal/writeFacts.ts";
import type { ContractWords } from "./contractWords.ts";
import { findNamed, type NamedTransaction } from "./findNamed.ts";
import { formatGas, formatReplay, replayFacts, wordsOf } from "./formatReplay.ts";
import { formatStep, type ShownStep } from "./formatStep.ts";
import { replayShares } from "./replayShares.ts";
import { StepRecorder } from "./StepRecorder.ts";
import { withChain } from "./withChain.ts";

interface ReplayFormat {
  /** The first step to print; none: no steps. */
  readonly fromStep: number | undefined;
  /** Print only steps at these places. */
  readonly breaks: string | undefined;
  readonly json: boolean;
}

/**
 * Replays one transaction and prints its phases, its gas and whether it is equal; throws "app/problems" when it is not.
 * Steps are printed when it has run, so that no message of the network stands between them.
 */
export async function replayTransactionOf(
  config: AppConfig,
  named: NamedTransaction,
  { fromStep = Number.POSITIVE_INFINITY, breaks, json }: ReplayFormat,
  terminal: Terminal,
): Promise<void> {
  const recorder = new StepRecorder(fromStep);
  const abis = new AbiFolder(config.data, systemClock);
  const compiler = new SourceCompiler(systemClock);
  const { find } = new SourceMaps(abis, compiler, systemClock);
  const prepare = async ({ address, codeHash }: PreparedRun) => {
    recorder.map = codeHash === undefined ? undefined : await find({ address, codeHash });
    return (step: MachineStep) => recorder.add(step);
  };
  await withChain(config, messagesOf(terminal), async (chain, { findPoint }) => {
    const { address, ...point } = await findNamed(named, { chain, findPoint });
    const replay = await replayTransaction(chain, address, point, { prepare });
    const gasUsed = replay.outcome.kind === "done" ? Number(replay.outcome.gasUsed) : 0;
    const library = abis.library();
    const words = wordsOf(replay, library);
    const { families, methods: byMethod, lines } = recorder.listGas(gasUsed);
    const methods = byMethod.map((each) => nameMethod(each, words));
    const steps = recorder.listSteps(words, breaks);
    const facts = {
      ...replayFacts(replay, library),
      gasByFamily: Object.fromEntries(families),
      gasByMethod: methods,
      ...(lines.length > 0 && { gasByLine: lines }),
      ...(Number.isFinite(fromStep) && { steps }),
    };
    writeFacts(terminal, { json }, facts, () =>
      formatAll(formatReplay(replay, library), { families, methods, lines }, steps, styleFor(terminal)),
    );
    refuseDifferent(replay.isEqual ? 0 : 1, 1);
  });
}

interface NamedGas extends MethodGas {
  readonly name: string | undefined;
}

function nameMethod(gas: MethodGas, words: ContractWords | undefined): NamedGas {
  return { ...gas, name: gas.method === undefined ? undefined : words?.findMethod(gas.method) };
}

interface CountedGas {
  readonly families: readonly (readonly [string, number])[];
  readonly methods: readonly NamedGas[];
  readonly lines: readonly LineGas[];
}

function formatAll(replay: string, gas: CountedGas, steps: readonly ShownStep[], style: Style): string {
  const methods = gas.methods.map(({ method, name, gas: own }) => [name ?? methodText(method), own] as const);
  const lists = [
    ["family of instructions", gas.families],
    ["method", methods],
    ["line", gas.lines.slice(0, maxLines).map((each) => [lineText(each), each.gas] as const)],
  ] as const;
  const listed = lists.map(([kind, list]) => formatGasList(kind, list)).join("");
  return `${steps.map((step) => formatStep(step, style)).join("")}${replay}\n${listed}`;
}

/** Lines that are printed, the most expensive ones; JSON has all. */
const maxLines = 20;

function lineText({ file, line }: LineGas): string {
  return file === undefined ? "(other code)" : toPrintable(`${file}:${line}`);
}

function methodText(method: number | undefined): string {
  return method === undefined ? "(no method)" : `method ${method}`;
}

function formatGasList(kind: string, list: readonly (readonly [string, number])[]): string {
  const lines = formatGas(list);
  return lines.length === 0 ? "" : `  gas by ${kind}:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

/** Messages about the network are not part of the result. */
function messagesOf(terminal: Terminal): Terminal {
  return withMessagesAside(terminal, { json: true });
}

/** Replays a block and prints how many of its transactions are equal; throws "app/problems" when not all are. */
export async function replayBlockOf(
  config: AppConfig,
  text: string,
  { threads, json }: { readonly threads: number | undefined; readonly json: boolean },
  terminal: Terminal,
): Promise<void> {
  const [, workchain, shard, seqno] = /^\(?(-?[0-9]{1,10}),([0-9a-fA-F]{1,16}),([0-9]{1,10})\)?$/.exec(text) ?? [];
  if (workchain === undefined || shard === undefined || seqno === undefined)
    throw new AppError("app/usage", `"${text}" is not a block; write it as 0,8000000000000000,40000000`);
  const block = { workchain: Number(workchain), shard: BigInt(`0x${shard}`), seqno: Number(seqno), hashes: undefined };
  await withChain(config, messagesOf(terminal), async (chain) => {
    const accounts = await replayShares(chain, { config, block }, threads);
    const different = accounts.flatMap((account) => account.different);
    const count = accounts.reduce((sum, account) => sum + account.count, 0);
    const equal = count - different.length;
    const lines = [...different, `${equal} of ${count} transactions are equal`];
    writeFacts(terminal, { json }, { block: text, count, equal, different }, () => `${lines.join("\n")}\n`);
    refuseDifferent(different.length, count);
  });
}

function refuseDifferent(different: number, count: number): void {
  if (different > 0) throw new AppError("app/problems", `${different} of ${count} transactions differ`);
}
