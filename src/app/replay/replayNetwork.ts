import { GasByFamily } from "../../chain/replay/GasByFamily.ts";
import { replayTransaction } from "../../chain/replay/replay.ts";
import { systemClock } from "../../lib/clock.ts";
import type { MachineStep } from "../../tvm/machine/MachineRun.ts";
import type { Terminal } from "../Command.ts";
import type { AppConfig } from "../config.ts";
import { AppError } from "../errors.ts";
import { AbiFolder } from "../service/parts/AbiFolder.ts";
import { type Style, styleFor } from "../terminal/style.ts";
import { withMessagesAside, writeFacts } from "../terminal/writeFacts.ts";
import { findNamed, type NamedTransaction } from "./findNamed.ts";
import { formatGas, formatReplay, replayFacts, wordsOf } from "./formatReplay.ts";
import { findMethodJump, formatStep, type ShownStep, showStep } from "./formatStep.ts";
import { replayShares } from "./replayShares.ts";
import { withChain } from "./withChain.ts";

interface ReplayFormat {
  /** The first step to print; none: no steps. */
  readonly fromStep: number | undefined;
  readonly json: boolean;
}

/**
 * Replays one transaction and prints its phases, its gas and whether it is equal; throws "app/problems" when it is not.
 * Steps are printed when it has run, so that no message of the network stands between them.
 */
export async function replayTransactionOf(
  config: AppConfig,
  named: NamedTransaction,
  { fromStep = Number.POSITIVE_INFINITY, json }: ReplayFormat,
  terminal: Terminal,
): Promise<void> {
  const gas = new GasByFamily();
  const shown: { readonly step: ShownStep; readonly jump: number | undefined }[] = [];
  let count = 0;
  const onStep = (step: MachineStep): void => {
    gas.add(step);
    count += 1;
    if (count >= fromStep) shown.push({ step: showStep(count, step), jump: findMethodJump(step) });
  };
  await withChain(config, messagesOf(terminal), async (chain, { findPoint }) => {
    const { address, ...point } = await findNamed(named, { chain, findPoint });
    const replay = await replayTransaction(chain, address, point, onStep);
    const families = gas.list(replay.outcome.kind === "done" ? Number(replay.outcome.gasUsed) : 0);
    const isStepped = Number.isFinite(fromStep);
    const library = new AbiFolder(config.data, systemClock).library();
    const words = wordsOf(replay, library);
    const steps = shown.map(({ step, jump }) => {
      const method = jump === undefined ? undefined : words?.findMethod(jump);
      return method === undefined ? step : { ...step, method };
    });
    const facts = {
      ...replayFacts(replay, library),
      gasByFamily: Object.fromEntries(families),
      ...(isStepped && { steps }),
    };
    writeFacts(terminal, { json }, facts, () =>
      formatAll(formatReplay(replay, library), families, steps, styleFor(terminal)),
    );
    refuseDifferent(replay.isEqual ? 0 : 1, 1);
  });
}

function formatAll(
  replay: string,
  families: readonly (readonly [string, number])[],
  steps: readonly ShownStep[],
  style: Style,
): string {
  const lines = formatGas(families);
  const gas =
    lines.length === 0 ? "" : `  gas by family of instructions:\n${lines.map((line) => `  ${line}\n`).join("")}`;
  return `${steps.map((step) => formatStep(step, style)).join("")}${replay}\n${gas}`;
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
