import { Type } from "typebox";
import { storeCell } from "../../cell/codec.ts";
import { makeArg, withDefault } from "../../lib/kit/arg.ts";
import { textArg } from "../../lib/kit/basicArgs.ts";
import { bool, field, int, list, nullable, shape, text } from "../../lib/kit/shape.ts";
import type { PostedControl } from "../../localnet/network/Controls.ts";
import type { Snapshot } from "../../localnet/store/SnapshotFolder.ts";
import { ShardAccount } from "../../model/Account.ts";
import { type Address, makeAddress, plainAddress } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { configFromRoot } from "../../model/config/ConfigParams.ts";
import { type Hash, zeroHash } from "../../model/Hash.ts";
import { RelaxedMessage } from "../../model/Message.ts";
import type { AnyAddress } from "../../model/messageAddress.ts";
import { StateInit } from "../../model/StateInit.ts";
import { arg } from "../declare/argument.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { addressArg, boolArg, findV2Hash, intArg, longArg, refuse } from "../v2/args.ts";
import { hash64 } from "../v2/shapes/scalars.ts";
import { bagArg, valueArg } from "./args.ts";
import type { LocalServices } from "./LocalServices.ts";
import { defaultBlockMs } from "./pace.ts";
import { awaitControl } from "./postedControl.ts";
import { sampleAccount, sampleConfig, sampleMessage, sampleShardAccount } from "./samples.ts";
import { untilDone } from "./snapshots.ts";
import { fundJetton, jettonAmount } from "./tokens.ts";

/*
 * The paths of the local network of Acton, as other names of our controls: its command and its pages work with them.
 * They have its arguments and its answers: amounts are nanocoins.
 */

/** Endpoints with this beginning are served at the root, too, where Acton has them. */
export const actonPrefix = "acton_";

const declare = endpointsOver<LocalServices>();
const address = arg("Address of the account.", addressArg(), sampleAccount);
const sent = shape<{ readonly messageHash: Hash }>()({
  hash: hash64("Hash of the message, in base64.", ({ messageHash }) => messageHash),
});
export const nothing = field({ schema: Type.Null(), encode: (_value: undefined) => null });

export const checkpoint = shape<Pick<Snapshot, "name" | "seqno">>()({
  name: text("Name of the checkpoint.", ({ name }) => name),
  block_seqno: int("Seqno of its newest masterchain block.", ({ seqno }) => seqno),
});

const mined = shape<readonly number[]>()({
  blocks_mined: int("Number of masterchain blocks that were made.", ({ length }) => length),
  last_block_seqno: nullable(int)("Seqno of the last one.", (seqnos) => seqnos.at(-1)),
});

const mode = shape<boolean>()({
  skip_empty_blocks: bool("Whether blocks are made only when a message waits.", (skips) => skips),
});

interface ActonClock {
  readonly now: number;
  readonly machineNow: number;
  readonly next: number | undefined;
}

const clockInfo = shape<ActonClock>()({
  current_unix_time: int("Time of the chain, in Unix seconds.", ({ now }) => now),
  time_offset_seconds: int("Seconds by which it is ahead of this machine.", ({ now, machineNow }) => now - machineNow),
  next_block_timestamp: nullable(int)("Time of the next block, where it was set.", ({ next }) => next),
});

const delay = shape<number>()({
  response_delay_ms: int("Milliseconds that every query waits.", (delayMs) => delayMs),
});

function readClock({ net, clock }: LocalServices, next?: number): ActonClock {
  return { now: net.clock.seconds, machineNow: Math.floor(clock.now() / 1_000), next };
}

async function finish({ clock }: LocalServices, posted: readonly PostedControl[]): Promise<undefined> {
  await Promise.all(posted.map((each) => awaitControl(each, clock)));
}

/** Messages for Acton may leave their sender out. */
function senderOf(src: AnyAddress): Address {
  if (src === undefined) return makeAddress(masterchain, zeroHash);
  if (typeof src === "object" && src.kind === "external") throw refuse("the sender is not an account");
  return plainAddress(src);
}

export const checkpointName = arg("Name of the checkpoint.", textArg({ minLength: 1, maxLength: 64 }), {
  value: "acton",
});

/** A change of an account's state, as Acton writes it. */
interface StateChange {
  readonly type: "nonexist" | "uninit" | "frozen";
  readonly balance: bigint | undefined;
  readonly frozenHash: Hash | undefined;
}

const stateArg = makeArg<StateChange>({
  schema: Type.Object({
    type: Type.Union([Type.Literal("nonexist"), Type.Literal("uninit"), Type.Literal("frozen")], {
      description: "Kind of the new state.",
    }),
    balance: Type.Optional(Type.String({ description: "New balance in nanocoins; unchanged when left out." })),
    frozen_hash: Type.Optional(
      Type.String({ description: "Hash of the frozen state; that of the current one if none." }),
    ),
    source: Type.Optional(Type.Literal("current", { description: "Says that the current state is frozen." })),
  }),
  allowed: 'a state such as {"type": "uninit", "balance": "1000000000"}',
  read: (value) => {
    const { type, balance, frozen_hash: frozen } = Object(value);
    if (type !== "nonexist" && type !== "uninit" && type !== "frozen") return undefined;
    const coins = balance === undefined ? undefined : /^[0-9]{1,36}$/.exec(String(balance));
    if (coins === null) return undefined;
    const frozenHash = frozen === undefined ? undefined : findV2Hash(frozen);
    return { type, balance: coins === undefined ? undefined : BigInt(coins[0]), frozenHash };
  },
});

function changeState({ net }: LocalServices, to: Address, change: StateChange): readonly PostedControl[] {
  const { controls } = net;
  if (change.type === "nonexist") return [controls.write(to, { kind: "account", account: { kind: "none" } })];
  const stateHash = change.frozenHash ?? currentHash(net, to);
  const frozen = change.type === "frozen";
  if (frozen && stateHash === undefined) throw refuse("an account without state cannot be frozen; give frozen_hash");
  const state =
    frozen && stateHash !== undefined ? { kind: "frozen" as const, stateHash } : { kind: "uninit" as const };
  const { balance } = change;
  return [
    ...(balance === undefined ? [] : [controls.write(to, { kind: "balance", balance })]),
    controls.write(to, { kind: "state", state }),
  ];
}

function currentHash(net: LocalServices["net"], address: Address): Hash | undefined {
  const account = net.account(address).account.load();
  if (account.kind === "none" || account.storage.state.kind !== "active") return undefined;
  return storeCell(StateInit, account.storage.state.init).hash();
}

const common = { tag: "acton", isExtra: true, methods: ["POST"] } as const;

/** Other names of controls, for Acton. */
export const actonEndpoints = [
  declare({
    name: "acton_sendInternalMessage",
    ...common,
    summary: "Delivers an internal message from any address, as `sendAs`.",
    args: {
      boc: arg(
        "The message as a bag of cells in base64.",
        valueArg(RelaxedMessage, "an internal message"),
        sampleMessage,
      ),
    },
    result: sent,
    run: async ({ net, clock }, { boc: { info, init, body } }) => {
      if (info.kind !== "internal") throw refuse("boc is not an internal message");
      if (!info.value.extra.isEmpty) throw refuse("extra currencies cannot be created");
      const from = senderOf(info.src);
      const wanted = { from, to: plainAddress(info.dest), value: info.value.coins, bounce: info.bounce, body, init };
      await net.touch([wanted.to]);
      return awaitControl(net.controls.sendAs(wanted), clock);
    },
  }),
  declare({
    name: "acton_setShardAccount",
    ...common,
    summary: "Replaces an account with the one in a `ShardAccount`, as `setAccount`.",
    args: {
      address,
      shard_account: arg(
        "`ShardAccount` as a bag of cells in base64.",
        valueArg(ShardAccount, "a ShardAccount"),
        sampleShardAccount,
      ),
    },
    result: nothing,
    run: async (services, { address: { address: to }, shard_account: { account } }) => {
      await services.net.touch([to]);
      return finish(services, [services.net.controls.write(to, { kind: "account", account: account.load() })]);
    },
  }),
  declare({
    name: "acton_changeAccountState",
    ...common,
    summary: "Makes an account nonexistent, uninitialized or frozen, as `setState`.",
    args: { address, state: arg("New state, with its balance in nanocoins.", stateArg, { value: { type: "uninit" } }) },
    result: nothing,
    run: async (services, { address: { address: to }, state }) => {
      await services.net.touch([to]);
      return finish(services, changeState(services, to, state));
    },
  }),
  declare({
    name: "acton_fundAccount",
    ...common,
    summary: "Gives coins to an account, as `faucet`.",
    args: { address, amount: arg("Amount in nanocoins.", longArg({ min: 1 }), { value: 1_000_000_000 }) },
    result: sent,
    run: ({ faucet }, { address: { address: to }, amount }, { signal }) => faucet.post(to, amount, signal),
  }),
  declare({
    name: "acton_fundJetton",
    ...common,
    summary: "Gives jettons to an account.",
    args: {
      address: arg("Address of the receiver.", addressArg(), "wallet"),
      jetton_master: arg("Address of the jetton.", addressArg(), "master"),
      amount: jettonAmount,
    },
    result: sent,
    run: (services, { address: { address: owner }, jetton_master: { address: jetton }, amount }, context) =>
      fundJetton(services, { owner, jetton, amount }, context),
  }),
  declare({
    name: "acton_createCheckpoint",
    ...common,
    ...untilDone,
    summary: "Saves the chain under a name, as `makeSnapshot`; with `force` it replaces one of that name.",
    args: { name: checkpointName, force: arg("Whether to replace one of that name.", withDefault(boolArg, false)) },
    result: checkpoint,
    run: ({ snapshots }, { name: wanted, force }) => {
      if (force && snapshots.list().some((each) => each.name === wanted)) snapshots.delete(wanted);
      return snapshots.make(wanted);
    },
  }),
  declare({
    name: "acton_listCheckpoints",
    ...common,
    summary: "The snapshots, as `snapshots`.",
    methods: ["GET"],
    args: {},
    result: list(checkpoint),
    run: ({ snapshots }) => snapshots.list(),
  }),
  declare({
    name: "acton_restoreCheckpoint",
    ...common,
    ...untilDone,
    summary: "Goes back to a snapshot, as `restoreSnapshot`.",
    args: { name: checkpointName },
    result: checkpoint,
    run: async ({ snapshots }, { name: wanted }) => ({ name: wanted, seqno: await snapshots.restore(wanted) }),
  }),
  declare({
    name: "acton_deleteCheckpoint",
    ...common,
    summary: "Deletes a snapshot, as `deleteSnapshot`.",
    args: { name: checkpointName },
    result: checkpoint,
    run: ({ snapshots }, { name: wanted }) => snapshots.delete(wanted),
  }),
  declare({
    name: "acton_clearCheckpoints",
    ...common,
    summary: "Deletes all snapshots.",
    args: {},
    result: shape<number>()({ deleted: int("Number of deleted snapshots.", (count) => count) }),
    run: ({ snapshots }) => snapshots.list().map((each) => snapshots.delete(each.name)).length,
  }),
  declare({
    name: "acton_mine",
    ...common,
    ...untilDone,
    summary: "Makes blocks now, as `block`.",
    args: { blocks: arg("Number of masterchain blocks.", withDefault(intArg({ min: 1, max: 100 }), 1)) },
    result: mined,
    run: async ({ makeBlock }, { blocks: count }) => {
      const seqnos: number[] = [];
      while (seqnos.length < count) seqnos.push((await makeBlock()).seqno);
      return seqnos;
    },
  }),
  declare({
    name: "acton_setMiningMode",
    ...common,
    summary: "When blocks are made, as `automaticBlocks`: with messages only, or at an interval.",
    args: { skip_empty_blocks: arg("Whether only messages make blocks.", boolArg, { value: false }) },
    result: mode,
    run: ({ net }, { skip_empty_blocks: skips }) => {
      const blockMs = net.pace.kind === "steady" ? net.pace.blockMs : defaultBlockMs;
      net.setPace(skips ? { kind: "onDemand" } : { kind: "steady", blockMs });
      return skips;
    },
  }),
  declare({
    name: "acton_setConfig",
    ...common,
    summary: "Sets all parameters of a configuration, as `setConfig`; the validators and its address stay as they are.",
    args: { config: arg("Dictionary of parameters as a bag of cells in base64.", bagArg, sampleConfig) },
    result: nothing,
    run: (services, { config }) => finish(services, services.net.controls.setConfigs(configFromRoot(config))),
  }),
  declare({
    name: "acton_setNetworkConditions",
    ...common,
    summary: "Delays every query, as `networkConditions`.",
    args: { response_delay_ms: arg("Milliseconds.", intArg({ min: 0, max: 60_000 }), { value: 0 }) },
    result: delay,
    run: ({ setConditions }, { response_delay_ms: delayMs }) => {
      setConditions({ delayMs, refused: 0, dropped: 0, lost: 0 });
      return delayMs;
    },
  }),
  declare({
    name: "acton_increaseTime",
    ...common,
    summary: "Advances the time of the chain, as `advance`.",
    args: { seconds: arg("Number of seconds.", intArg({ min: 1 }), { value: 1 }) },
    result: clockInfo,
    run: (services, { seconds }) => {
      services.advanceTime(seconds);
      return readClock(services);
    },
  }),
  ...(
    [
      ["acton_setTime", 2_000_010_000],
      ["acton_setNextBlockTimestamp", 2_000_020_000],
    ] as const
  ).map(([path, value]) =>
    declare({
      name: path,
      ...common,
      summary: "Sets the time of the chain, which the next block has, as `setTime`.",
      args: { timestamp: arg("Time in Unix seconds.", intArg({ min: 1 }), { value }) },
      result: clockInfo,
      run: (services, { timestamp: seconds }) => {
        services.net.clock.set(seconds);
        return readClock(services, path === "acton_setTime" ? undefined : seconds);
      },
    }),
  ),
];
