import type { Chain } from "../../chain/Chain.ts";
import { type Replay, replayBlock, replayTransaction } from "../../chain/pinned/replay.ts";
import { systemClock } from "../../lib/clock.ts";
import { withDeadline } from "../../lib/deadline.ts";
import { findAddress } from "../../model/Address.ts";
import { findHash } from "../../model/Hash.ts";
import type { MachineStep } from "../../tvm/machine/MachineRun.ts";
import type { StackValue } from "../../tvm/machine/StackValue.ts";
import type { Terminal } from "../Command.ts";
import { type AppConfig, systemSources } from "../config.ts";
import { makeDataFolder } from "../dataFolder.ts";
import { AppError } from "../errors.ts";
import { planNetworks } from "../networks/planNetworks.ts";
import { openPlanned } from "../serve.ts";
import { type Closers, openTogether } from "../service/Closers.ts";
import { openModules } from "../service/indexNetworks.ts";
import { openLive } from "../service/openLive.ts";
import { formatReplay, GasByFamily } from "./formatReplay.ts";

/** The timeout of the whole command. */
const patienceMs = 15 * 60_000;

/** A transaction as given on the command line. */
export interface NamedTransaction {
  readonly address: string;
  readonly lt: string;
  readonly hash: string;
}

/**
 * Replays one transaction and prints its phases, its gas and whether it is equal; throws "app/problems" when it is not.
 */
export async function replayTransactionOf(
  config: AppConfig,
  named: NamedTransaction,
  { steps }: { readonly steps: boolean },
  terminal: Terminal,
): Promise<void> {
  const address = findAddress(named.address)?.address;
  const hash = findHash(named.hash);
  if (address === undefined) throw new AppError("app/usage", `"${named.address}" is no address`);
  if (hash === undefined) throw new AppError("app/usage", `"${named.hash}" is no hash`);
  if (!/^[0-9]{1,19}$/.test(named.lt)) throw new AppError("app/usage", `"${named.lt}" is no logical time`);
  const gas = new GasByFamily();
  const onStep = (step: MachineStep): void => {
    gas.add(step);
    if (steps) terminal.write(`${formatStep(step)}\n`);
  };
  await withChain(config, terminal, async (chain) => {
    const replay = await replayTransaction(chain, address, { lt: BigInt(named.lt), hash }, onStep);
    terminal.write(`${formatReplay(replay)}\n`);
    const lines = gas.lines();
    if (lines.length > 0)
      terminal.write(`  gas by family of instructions:\n${lines.map((line) => `  ${line}\n`).join("")}`);
    refuseDifferent([replay], 1);
  });
}

/** Replays a block and prints how many of its transactions are equal; throws "app/problems" when not all are. */
export async function replayBlockOf(config: AppConfig, text: string, terminal: Terminal): Promise<void> {
  const [, workchain, shard, seqno] = /^\(?(-?[0-9]{1,10}),([0-9a-fA-F]{1,16}),([0-9]{1,10})\)?$/.exec(text) ?? [];
  if (workchain === undefined || shard === undefined || seqno === undefined)
    throw new AppError("app/usage", `"${text}" names no block; write it as 0,8000000000000000,40000000`);
  const block = { workchain: Number(workchain), shard: BigInt(`0x${shard}`), seqno: Number(seqno), hashes: undefined };
  await withChain(config, terminal, async (chain) => {
    const different: Replay[] = [];
    let count = 0;
    for await (const replay of replayBlock(chain, block)) {
      count += 1;
      if (!replay.isEqual) different.push(replay);
    }
    for (const replay of different) terminal.write(`${formatReplay(replay)}\n`);
    terminal.write(`${count - different.length} of ${count} transactions are equal\n`);
    refuseDifferent(different, count);
  });
}

function refuseDifferent(replays: readonly Replay[], count: number): void {
  const different = replays.filter(({ isEqual }) => !isEqual).length;
  if (different > 0) throw new AppError("app/problems", `${different} of ${count} transactions became something else`);
}

/** Opens the configured network, waits for its newest block, and closes everything afterwards. */
async function withChain(config: AppConfig, terminal: Terminal, use: (chain: Chain) => Promise<void>): Promise<void> {
  const [plan, ...others] = planNetworks(config, systemSources.findFile);
  if (plan === undefined || others.length > 0) throw new AppError("app/usage", "replay takes one network");
  if (plan.kind === "local")
    throw new AppError("app/usage", "replay asks lite servers: name a network with --network or --global-config");
  makeDataFolder(config.data);
  const opened = await openTogether(async (closers: Closers) => {
    const modules = await openModules(config, terminal, closers);
    const network = await openPlanned(plan, modules);
    closers.add(() => network.close());
    return { network, live: openLive(network, modules), close: () => closers.close() };
  });
  const deadline = withDeadline(systemClock, patienceMs);
  try {
    for await (const _ of opened.network.heads(deadline.signal)) break;
    await use(opened.live.services.chains.open({ access: "private", signal: deadline.signal }));
  } finally {
    deadline.dispose();
    await opened.close();
  }
}

/** One step as a line: gas before it, instruction, stack. */
function formatStep({ operation, gasRemaining, stack }: MachineStep): string {
  return `${String(gasRemaining).padStart(9)} ${operation.padEnd(32)} [ ${stack.map(formatValue).join(" ")} ]`;
}

function formatValue(value: StackValue): string {
  if (value === null) return "()";
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[ ${value.map(formatValue).join(" ")} ]`;
  return `${value.constructor.name}`;
}
