import type { Chain } from "../../chain/Chain.ts";
import { GasByFamily } from "../../chain/replay/GasByFamily.ts";
import { type Replay, replayBlock, replayTransaction } from "../../chain/replay/replay.ts";
import { systemClock } from "../../lib/clock.ts";
import { withDeadline } from "../../lib/deadline.ts";
import type { MachineStep } from "../../tvm/machine/MachineRun.ts";
import type { Terminal } from "../Command.ts";
import { type AppConfig, systemSources } from "../config.ts";
import { makeDataFolder } from "../dataFolder.ts";
import { AppError } from "../errors.ts";
import { indexPlace } from "../networks/indexPlace.ts";
import { planNetworks } from "../networks/planNetworks.ts";
import { openPlanned } from "../serve.ts";
import { type Closers, openTogether } from "../service/Closers.ts";
import { openIndexDatabase } from "../service/index/openIndexDatabase.ts";
import { openModules } from "../service/indexNetworks.ts";
import { openLive } from "../service/openLive.ts";
import { type FindModules, findNamed, type NamedTransaction } from "./findNamed.ts";
import { formatGas, formatReplay } from "./formatReplay.ts";
import { formatStep } from "./formatStep.ts";

/** The timeout of the whole command. */
const patienceMs = 15 * 60_000;

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
  await withChain(config, terminal, async (chain, openIndex) => {
    const { address, ...point } = await findNamed(named, { chain, openIndex });
    const replay = await replayTransaction(chain, address, point, onStep);
    terminal.write(`${formatReplay(replay)}\n`);
    const lines = formatGas(gas.list(replay.outcome.kind === "done" ? Number(replay.outcome.gasUsed) : 0));
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
async function withChain(
  config: AppConfig,
  terminal: Terminal,
  use: (chain: Chain, openIndex: FindModules["openIndex"]) => Promise<void>,
): Promise<void> {
  const [plan, ...others] = planNetworks(config, systemSources.findFile);
  if (plan === undefined || others.length > 0) throw new AppError("app/usage", "replay takes one network");
  if (plan.kind === "local")
    throw new AppError("app/usage", "replay asks lite servers: name a network with --network or --global-config");
  makeDataFolder(config.data);
  const opened = await openTogether(async (closers: Closers) => {
    const modules = await openModules(config, terminal, closers);
    const network = await openPlanned(plan, modules);
    closers.add(() => network.close());
    return { network, modules, live: openLive(network, modules), close: () => closers.close() };
  });
  const deadline = withDeadline(systemClock, patienceMs);
  try {
    for await (const _ of opened.network.heads(deadline.signal)) break;
    const { network, modules, live } = opened;
    const place = indexPlace(config, plan);
    const openIndex = () => openIndexDatabase(place, { kind: "read" }, network.zeroState.rootHash, modules);
    await use(live.services.chains.open({ access: "private", signal: deadline.signal }), openIndex);
  } finally {
    deadline.dispose();
    await opened.close();
  }
}
