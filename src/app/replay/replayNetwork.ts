import { GasByFamily } from "../../chain/replay/GasByFamily.ts";
import { replayTransaction } from "../../chain/replay/replay.ts";
import type { MachineStep } from "../../tvm/machine/MachineRun.ts";
import type { Terminal } from "../Command.ts";
import type { AppConfig } from "../config.ts";
import { AppError } from "../errors.ts";
import { findNamed, type NamedTransaction } from "./findNamed.ts";
import { formatGas, formatReplay } from "./formatReplay.ts";
import { formatStep } from "./formatStep.ts";
import { replayShares } from "./replayShares.ts";
import { withChain } from "./withChain.ts";

/**
 * Replays one transaction and prints its phases, its gas and whether it is equal; throws "app/problems" when it is not.
 */
export async function replayTransactionOf(
  config: AppConfig,
  named: NamedTransaction,
  { steps }: { readonly steps: boolean },
  terminal: Terminal,
): Promise<void> {
  const gas = new GasByFamily();
  const onStep = (step: MachineStep): void => {
    gas.add(step);
    if (steps) terminal.write(`${formatStep(step)}\n`);
  };
  await withChain(config, terminal, async (chain, findPoint) => {
    const { address, ...point } = await findNamed(named, { chain, findPoint });
    const replay = await replayTransaction(chain, address, point, onStep);
    terminal.write(`${formatReplay(replay)}\n`);
    const lines = formatGas(gas.list(replay.outcome.kind === "done" ? Number(replay.outcome.gasUsed) : 0));
    if (lines.length > 0)
      terminal.write(`  gas by family of instructions:\n${lines.map((line) => `  ${line}\n`).join("")}`);
    refuseDifferent(replay.isEqual ? 0 : 1, 1);
  });
}

/** Replays a block and prints how many of its transactions are equal; throws "app/problems" when not all are. */
export async function replayBlockOf(
  config: AppConfig,
  text: string,
  { threads }: { readonly threads: number | undefined },
  terminal: Terminal,
): Promise<void> {
  const [, workchain, shard, seqno] = /^\(?(-?[0-9]{1,10}),([0-9a-fA-F]{1,16}),([0-9]{1,10})\)?$/.exec(text) ?? [];
  if (workchain === undefined || shard === undefined || seqno === undefined)
    throw new AppError("app/usage", `"${text}" is not a block; write it as 0,8000000000000000,40000000`);
  const block = { workchain: Number(workchain), shard: BigInt(`0x${shard}`), seqno: Number(seqno), hashes: undefined };
  await withChain(config, terminal, async (chain) => {
    const accounts = await replayShares(chain, { config, block }, threads);
    const different = accounts.flatMap((account) => account.different);
    const count = accounts.reduce((sum, account) => sum + account.count, 0);
    for (const replay of different) terminal.write(`${replay}\n`);
    terminal.write(`${count - different.length} of ${count} transactions are equal\n`);
    refuseDifferent(different.length, count);
  });
}

function refuseDifferent(different: number, count: number): void {
  if (different > 0) throw new AppError("app/problems", `${different} of ${count} transactions differ`);
}
