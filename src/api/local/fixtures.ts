import { Type } from "typebox";
import type { Cell } from "../../cell/Cell.ts";
import { toBase64 } from "../../lib/bytes.ts";
import { makeArg, withDefault } from "../../lib/kit/arg.ts";
import { int, list, shape, text } from "../../lib/kit/shape.ts";
import { mapInPieces } from "../../lib/sharing/mapInPieces.ts";
import type { Snapshot } from "../../localnet/store/SnapshotFolder.ts";
import { Account, ShardAccount } from "../../model/Account.ts";
import { plainAddress, workchainOf } from "../../model/Address.ts";
import { basechain } from "../../model/block/BlockId.ts";
import { arg } from "../declare/argument.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { addressArg, boolArg, bytesArg, ignoredArg, intArg, listArg } from "../v2/args.ts";
import { boc } from "../v2/shapes/ids.ts";
import { typed } from "../v2/shapes/typed.ts";
import { checkpoint, checkpointName, nothing } from "./acton.ts";
import { valueArg } from "./args.ts";
import type { LocalServices } from "./LocalServices.ts";
import { awaitControl, controlled } from "./postedControl.ts";
import { sampleAccount } from "./samples.ts";

const declare = endpointsOver<LocalServices>();

const dumped = typed<readonly Cell[]>()("localnet.accounts", {
  accounts: list(boc)("Each `Account` as a bag of cells in base64.", (cells) => cells),
  count: int("Number of accounts.", ({ length }) => length),
});

const accountList = listArg(valueArg(Account, "an Account"));

const common = { tag: "state", isExtra: true, methods: ["POST"] } as const;

/** Accounts as fixtures of test suites. */
export const fixtureEndpoints = [
  declare({
    name: "dump",
    ...common,
    summary: "Whole accounts after the newest block, for `load`; those that do not exist are left out.",
    args: { addresses: arg("Addresses of the accounts.", listArg(addressArg()), { value: [sampleAccount.value] }) },
    result: dumped,
    run: async ({ net }, { addresses }, { signal }) => {
      await net.touch(
        addresses.map(({ address }) => address),
        signal,
      );
      const found = addresses.map(({ address }) => net.account(address).account);
      return found.filter((account) => account.load().kind === "account").map(({ cell }) => cell);
    },
  }),
  declare({
    name: "load",
    ...common,
    summary: "Writes the accounts of a dump in the next block, all or none of them.",
    description: "Each is written as by `setAccount`. The answer has one entry for each.",
    args: {
      accounts: arg("Each `Account` as a bag of cells in base64.", accountList, { value: [] }),
    },
    result: list(controlled),
    run: async ({ net, clock }, { accounts }, { signal }) => {
      const named = accounts.flatMap((account) => (account.kind === "account" ? [plainAddress(account.address)] : []));
      await net.touch(named, signal);
      return Promise.all(net.controls.load(accounts).map((posted) => awaitControl(posted, clock)));
    },
  }),
];

/*
 * The files of Acton's local network: its command stores the whole answer of one path and sends it to another. They
 * have a content of our own; of a state that Acton itself wrote the accounts are read.
 */

const ofActon = { tag: "acton", isExtra: true } as const;

const stateFile = shape<readonly Cell[]>()({
  version: int("Version of this form.", () => 1),
  accounts: list(boc)("Each `Account` as a bag of cells in base64.", (cells) => cells),
});

const shardAccount = valueArg(ShardAccount, "a ShardAccount");

type Pairs = readonly (readonly [string, string])[];

/**
 * The accounts of a state that Acton wrote: pairs of an address and a description with the hash of a `ShardAccount`.
 */
const actonAccounts = makeArg<readonly string[]>({
  schema: Type.Array(Type.Tuple([Type.String(), Type.Object({ account_hash: Type.String() })])),
  allowed: "a list of pairs of an address and an object with account_hash",
  read: (value) => readPairs(value, (meta) => Object(meta).account_hash)?.map(([, hash]) => hash),
});

/** Its cells: pairs of a hash and a bag of cells in base64. */
const actonCells = makeArg<Pairs>({
  schema: Type.Array(Type.Tuple([Type.String(), Type.String()])),
  allowed: "a list of pairs of a hash and a bag of cells in base64",
  read: (value) => readPairs(value, (bag) => bag),
});

const unread = arg("Part of a state that Acton wrote; it is not read.", ignoredArg);
const unreadParts = {
  globals: unread,
  time_offset_seconds: unread,
  next_block_timestamp: unread,
  history_blocks: unread,
  history_masterchain_blocks: unread,
  history_deltas_by_seqno: unread,
  history_tx_by_hash: unread,
  history_msg_by_hash: unread,
  history_msg_to_tx: unread,
  history_jetton_masters: unread,
  history_jetton_wallets: unread,
  history_nft_items: unread,
  history_asset_detection_checked: unread,
  pool_external: unread,
  pool_internal: unread,
  pool_rr_turn: unread,
  pending_freeze_current: unread,
};

/** Pairs of texts, the second as it is read; anything else is not allowed. */
function readPairs(value: unknown, read: (second: unknown) => unknown): Pairs | undefined {
  const pairs = (Array.isArray(value) ? value : [value]).map((pair: unknown) => {
    const [first, second]: readonly unknown[] = Array.isArray(pair) ? pair : [];
    return [first, read(second)] as const;
  });
  const isPair = (pair: readonly [unknown, unknown]): pair is Pairs[number] =>
    pair.every((each) => typeof each === "string");
  return pairs.every(isPair) ? pairs : undefined;
}

/** The accounts of the basechain: Acton has no others of its own. Those without cells, like its giver, do not exist. */
function readActon(hashes: readonly string[], pairs: Pairs): readonly Account[] {
  const cells = new Map(pairs);
  return hashes.flatMap((hash) => {
    const bag = cells.get(hash);
    const account = bag === undefined ? undefined : shardAccount.decode(bag, "cas_entries").account.load();
    if (account?.kind !== "account") return [];
    return workchainOf(plainAddress(account.address)) === basechain ? [account] : [];
  });
}

interface ChainFile extends Snapshot {
  readonly archive: Uint8Array;
}

const chainFile = shape<ChainFile>()({
  version: int("Version of this form.", () => 1),
  block_seqno: int("Seqno of its newest masterchain block.", ({ seqno }) => seqno),
  gen_utime: int("Time of that block, in Unix seconds.", ({ chainTime }) => chainTime),
  made_at: int("Time when it was made, in Unix seconds.", ({ madeAt }) => madeAt),
  chain: text("The chain, as `tongate localnet --restore` takes it, in base64.", ({ archive }) => toBase64(archive)),
});

const whole = intArg({ min: 0, max: 2 ** 32 - 1 });
const maxArchiveBytes = 8_000_000;

/** Whole states and chains as files of Acton. */
export const actonFileEndpoints = [
  declare({
    name: "acton_dumpState",
    ...ofActon,
    summary: "All accounts after the newest block, as `dump`; of a fork, those that are here.",
    description: "Accounts that the configuration names are left out: no chain can do without its own.",
    args: {},
    isBare: true,
    isGuarded: true,
    statuses: [403],
    result: stateFile,
    run: async ({ net }) => mapInPieces(await net.accounts(), (address) => net.account(address).account.cell.latest()),
  }),
  declare({
    name: "acton_loadState",
    ...ofActon,
    methods: ["POST"],
    summary: "Replaces all accounts in the next block with those of a dump, as `load`.",
    description:
      "Accounts that are not in the dump are deleted, except those that the configuration names. A dump without accounts changes nothing. Of a state that Acton itself wrote, only the accounts are read, and others stay as they are.",
    args: {
      version: arg("Version of the form.", ignoredArg),
      accounts: arg("Each `Account` as a bag of cells in base64.", withDefault(accountList, [])),
      latest_accounts: arg("Accounts of a state that Acton wrote.", withDefault(actonAccounts, [])),
      cas_entries: arg("Cells of a state that Acton wrote.", withDefault(actonCells, [])),
      ...unreadParts,
    },
    result: nothing,
    run: async ({ net, clock }, { accounts, latest_accounts: hashes, cas_entries: cells }, { signal }) => {
      const written = accounts.length > 0 ? accounts : readActon(hashes, cells);
      const named = written.flatMap((account) => (account.kind === "account" ? [plainAddress(account.address)] : []));
      await net.touch(named, signal);
      const kept = new Set(named);
      const others = accounts.length === 0 ? [] : (await net.accounts()).filter((address) => !kept.has(address));
      const posted = net.controls.load(written, others);
      await Promise.all(posted.map((each) => awaitControl(each, clock)));
      return undefined;
    },
  }),
  declare({
    name: "acton_importCheckpoint",
    ...ofActon,
    methods: ["POST"],
    summary: "Adds the snapshot of a document; with `force` it replaces one of that name.",
    description: "A document of more than 1 MB is refused: `tongate localnet --restore` takes files of any size.",
    args: {
      name: checkpointName,
      force: arg("Whether to replace one of that name.", withDefault(boolArg, false)),
      version: arg("Version of the form.", ignoredArg),
      block_seqno: arg("Seqno of its newest masterchain block.", whole, { value: 1 }),
      gen_utime: arg("Time of that block, in Unix seconds.", whole, { value: 1_700_000_000 }),
      made_at: arg("Time when it was made, in Unix seconds.", whole, { value: 1_700_000_000 }),
      chain: arg("The chain in base64.", bytesArg(), { value: toBase64(Uint8Array.of(0)) }),
    },
    result: checkpoint,
    run: ({ snapshots }, { name: wanted, force, block_seqno: seqno, gen_utime, made_at, chain }) =>
      snapshots.add(wanted, { seqno, chainTime: gen_utime, madeAt: made_at }, chain, force),
  }),
  declare({
    name: "acton_exportCheckpoint",
    ...ofActon,
    methods: ["GET"],
    summary: "A snapshot as one document; `GET /localnet/exportSnapshot` gives its file.",
    description: "A chain of more than 8 MB is refused: it is no document that a program should hold.",
    args: { name: checkpointName },
    isBare: true,
    isGuarded: true,
    statuses: [403],
    result: chainFile,
    run: ({ snapshots }, { name: wanted }) => ({
      ...snapshots.get(wanted),
      archive: snapshots.read(wanted, maxArchiveBytes),
    }),
  }),
];
