import { writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { type Address, makeAddress } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { ShardStateUnsplit } from "../../model/block/ShardState.ts";
import { findConfigParam, getConfigParam } from "../../model/config/ConfigParams.ts";
import type { Hash } from "../../model/Hash.ts";
import type { StateInit } from "../../model/StateInit.ts";
import { systemCodes } from "../codes/systemCodes.ts";
import { LocalnetError } from "../errors.ts";
import { configAccount } from "../genesis/genesisConfig.ts";
import { ChainView } from "../ledger/ChainView.ts";
import { signConfigChange } from "../network/configChange.ts";
import type { Localnet } from "../network/Localnet.ts";
import { signTransfers } from "../wallets/transfer.ts";
import type { Wallet } from "../wallets/Wallet.ts";
import { findSeqno } from "../wallets/Wallet.ts";
import type { Demo } from "./Demo.ts";
import type { DemoChain, DemoSending, DemoStage } from "./DemoStage.ts";

/**
 * The outcome of a demo set: made now, present before, or refused because its wallets were used for something else. A
 * network with another elector, such as one of an earlier version, keeps what it has: that elector may take no stakes.
 */
export type DemoOutcome =
  | { readonly kind: "made" | "present" | "refused" }
  | { readonly kind: "kept"; readonly contracts: Demo["contracts"] };

/** More than any stage takes, also across several shards. */
const maxRounds = 50;

/**
 * Makes the demo set by real transactions, in dedicated rounds. An unfinished demo set is continued: the seqnos of its
 * wallets show the progress.
 */
export async function playDemo(net: Localnet, demo: Demo): Promise<DemoOutcome> {
  try {
    return await makeMissing(net, demo);
  } finally {
    net.clock.catchUp();
  }
}

async function makeMissing(net: Localnet, demo: Demo): Promise<DemoOutcome> {
  if (findElectorCode(net)?.hash() !== systemCodes.elector.hash)
    return { kind: "kept", contracts: demo.contracts.filter(([, address]) => isActive(net, address)) };
  const numbered = numberSendings(demo);
  const isBegun = (): boolean => isActive(net, demo.staking.pool);
  if (isBegun() && numbered.every((sending) => isSent(net, sending))) return { kind: "present" };
  const wasPaused = net.isPaused;
  net.pause();
  try {
    // The first stage makes the pool; an interrupted one may still be under way.
    await waitUntilIdle(net);
    if (!isBegun() && numbered.some(({ by }) => seqnoOf(net, by) > 0)) return { kind: "refused" };
    await playStages(net, demo, numbered);
    return { kind: "made" };
  } finally {
    if (!wasPaused) net.resume();
  }
}

interface NumberedSending extends DemoSending {
  /** The wallet's seqno before it. */
  readonly seqno: number;
  /** The index of its stage. */
  readonly stage: number;
}

function numberSendings({ stages }: Demo): readonly NumberedSending[] {
  const counters = new Map<Address, number>();
  return stages.flatMap((stage, place) =>
    (stage.kind === "messages" ? stage.sendings : []).map((sending) => {
      const seqno = counters.get(sending.by.address) ?? 0;
      counters.set(sending.by.address, seqno + 1);
      return { ...sending, seqno, stage: place };
    }),
  );
}

async function playStages(net: Localnet, { stages }: Demo, numbered: readonly NumberedSending[]): Promise<void> {
  for (const [place, stage] of stages.entries()) {
    if (stage.kind === "dnsRoot") {
      await setDnsRoot(net, stage.account);
    } else if (stage.kind === "time") {
      await liveUntil(net, stage);
    } else {
      await sendAll(
        net,
        numbered.filter((sending) => sending.stage === place && !isSent(net, sending)),
      );
    }
  }
}

async function sendAll(net: Localnet, sendings: readonly NumberedSending[]): Promise<void> {
  if (sendings.length === 0) return;
  const { config } = new ChainView(net.ledger);
  const chain: DemoChain = { now: net.clock.seconds, config, findData: (address) => findData(net, address) };
  for (const { by, transfers: planned, seqno } of sendings) {
    const transfers = planned.map((each) => (typeof each === "function" ? each(chain) : each));
    await net.submit(writeBoc(signTransfers(by, transfers, { seqno, now: chain.now })));
  }
  await waitUntilIdle(net);
  const lost = sendings.find((sending) => !isSent(net, sending));
  if (lost !== undefined)
    throw new LocalnetError("localnet/wallet", `message ${lost.seqno} of ${lost.by.address} was not executed`);
}

/** After this time a moment is over; until then its rounds are made again, which does no harm. */
const momentSeconds = 60;

/** Makes the rounds of a moment, unless the chain has passed it. */
async function liveUntil(net: Localnet, { after, rounds }: Extract<DemoStage, { kind: "time" }>): Promise<void> {
  const { ledger, clock } = net;
  const moment = loadCell(ShardStateUnsplit, ledger.zero.root).genUtime + after;
  if ((ledger.head?.info.genUtime ?? 0) >= moment + momentSeconds) return;
  clock.reach(moment);
  for (let made = 0; made < rounds; made++) await net.step();
  await waitUntilIdle(net);
}

async function setDnsRoot(net: Localnet, account: Hash): Promise<void> {
  const { config } = new ChainView(net.ledger);
  if (findConfigParam(config, 4) === account) return;
  const change = signConfigChange(net.keys.owner, 4, account, { seqno: changesSoFar(net), now: net.clock.seconds });
  await net.submit(writeBoc(change));
  await waitUntilIdle(net);
}

/** Makes rounds until no work is left. */
async function waitUntilIdle(net: Localnet): Promise<void> {
  for (let rounds = 0; net.hasWork; rounds++) {
    if (rounds === maxRounds) {
      throw new LocalnetError(
        "localnet/block",
        `the demo contracts keep the chain busy for more than ${rounds} rounds`,
      );
    }
    await net.step();
  }
}

function isSent(net: Localnet, { by, seqno }: NumberedSending): boolean {
  return seqnoOf(net, by) > seqno;
}

function seqnoOf(net: Localnet, { version, address }: Wallet): number {
  return findSeqno(version, net.account(address)) ?? 0;
}

function isActive(net: Localnet, address: Address): boolean {
  return findData(net, address) !== undefined;
}

// cfg:^(Hashmap 32 ^Cell) seqno:uint32 owner:uint256
function changesSoFar(net: Localnet): number {
  const data = findData(net, makeAddress(masterchain, configAccount));
  if (data === undefined) throw new LocalnetError("localnet/missing", "the network has no configuration account");
  return sliceOf(data).loadUint(32);
}

function findData(net: Localnet, address: Address): Cell | undefined {
  return findInit(net, address)?.data;
}

function findElectorCode(net: Localnet): Cell | undefined {
  const { config } = new ChainView(net.ledger);
  return findInit(net, makeAddress(masterchain, getConfigParam(config, 1)))?.code;
}

function findInit(net: Localnet, address: Address): StateInit | undefined {
  const account = net.account(address).account.load();
  return account.kind === "account" && account.storage.state.kind === "active" ? account.storage.state.init : undefined;
}
