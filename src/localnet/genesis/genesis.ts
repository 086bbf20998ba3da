import { createHash } from "node:crypto";
import { rebuild } from "../../cell/augmentedEdits.ts";
import { beginCell } from "../../cell/Builder.ts";
import { blockForm, readRoot, writeBoc } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell, storeCell } from "../../cell/codec.ts";
import { makeLinked } from "../../cell/linked.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { Account, AccountStorage, ShardAccounts } from "../../model/Account.ts";
import { makeAddress } from "../../model/Address.ts";
import { type BlockIdExt, basechain, masterchain, wholeShard } from "../../model/block/BlockId.ts";
import { McStateExtra, OldMcBlocksInfo } from "../../model/block/McStateExtra.ts";
import { OutMsgQueueInfo } from "../../model/block/OutMsgQueue.ts";
import { ShardHashes } from "../../model/block/ShardHashes.ts";
import { ShardStateTotals, ShardStateUnsplit } from "../../model/block/ShardState.ts";
import { addCurrency, type CurrencyCollection, coinsOnly } from "../../model/Currency.ts";
import { type Hash, hashFromBytes, zeroHash } from "../../model/Hash.ts";
import { StateInit } from "../../model/StateInit.ts";
import { LocalnetError } from "../errors.ts";
import type { ZeroState } from "../ledger/Ledger.ts";
import { hashOfSet } from "../rounds/BlockSigners.ts";
import { configAccount, genesisConfig } from "./genesisConfig.ts";
import { storageUsed } from "./storageUsed.ts";

/** An account in the zero state. */
export interface GenesisAccount {
  readonly workchain: number;
  readonly account: Hash;
  readonly balance: bigint;
  readonly init: StateInit;
}

export interface GenesisOptions {
  readonly globalId: number;
  readonly bornAt: number;
  readonly validatorKey: Hash;
  readonly validatorAddress: Hash;
  readonly splitDepth: number;
  /** How often it may be split by load; not at all by default. */
  readonly maxSplitDepth?: number;
  readonly globalVersion: number;
  /** The configuration contract; the configuration is the first reference of its data. */
  readonly configCode: Cell;
  /** The rest of the configuration account's data, after the reference. */
  readonly configData: Cell;
  readonly accounts: readonly GenesisAccount[];
}

const unknownSeqno = 0xffffffff;
/** Enough to pay the storage of the configuration for a long time. */
const configBalance = 1_000_000_000_000n;

/** The zero states of a new network: the same options give the same bytes. */
export function makeGenesis(options: GenesisOptions): readonly ZeroState[] {
  const base = zeroState(options, basechain, accountsOf(options, basechain), undefined);
  const facts = { ...options, basechainZero: base.id };
  const config = genesisConfig(facts);
  const root = config.params.root;
  if (root === undefined) throw new LocalnetError("localnet/block", "a configuration without parameters");
  const data = beginCell().storeRef(root).storeSlice(sliceOf(options.configData)).cell();
  const keeper: GenesisAccount = {
    workchain: masterchain,
    account: configAccount,
    balance: configBalance,
    init: { ...plainInit(options.configCode, data), special: { tick: false, tock: true } },
  };
  const accounts = accountsOf({ ...options, accounts: [...options.accounts, keeper] }, masterchain);
  const balances = addCurrency(accounts.rootExtra().balance, loadTotal(base.root));
  const extra: McStateExtra = {
    shardHashes: loadCell(ShardHashes, beginCell().storeBit(false).cell()),
    config,
    history: {
      validatorInfo: {
        listHashShort: hashOfSet(config, 0),
        catchainSeqno: 0,
        nextCatchainUpdated: true,
      },
      prevBlocks: loadCell(OldMcBlocksInfo, beginCell().storeUint(0, 2).storeBigUint(0n, 64).cell()),
      afterKeyBlock: true,
      lastKeyBlock: undefined,
      blockCreateStats: undefined,
    },
    globalBalance: balances,
  };
  return [zeroState(options, masterchain, accounts, extra), base];
}

/** A state init with only code and data. */
export function plainInit(code: Cell, data: Cell): StateInit {
  const noLibraries = loadCell(StateInit, beginCell().storeUint(0, 5).cell()).libraries;
  return { fixedPrefixLength: undefined, special: undefined, code, data, libraries: noLibraries };
}

function accountsOf(options: GenesisOptions, workchain: number): ShardAccounts {
  const empty = loadCell(
    ShardAccounts,
    beginCell().storeBit(false).storeUint(0, 5).storeCoins(0n).storeBit(false).cell(),
  );
  return rebuild(
    empty,
    options.accounts
      .filter((genesis) => genesis.workchain === workchain)
      .map((genesis) => {
        const balance = coinsOnly(genesis.balance);
        const value = {
          account: makeLinked(Account, makeAccount(genesis, balance, options.bornAt)),
          lastTransactionHash: zeroHash,
          lastTransactionLt: 0n,
        };
        return [genesis.account, value, { splitDepth: 0, balance }] as const;
      }),
  );
}

/** An account as it begins. */
export function makeAccount(genesis: GenesisAccount, balance: CurrencyCollection, bornAt: number): Account {
  const storage = { lastTransactionLt: 0n, balance, state: { kind: "active" as const, init: genesis.init } };
  return {
    kind: "account",
    address: makeAddress(genesis.workchain, genesis.account),
    storageInfo: {
      used: storageUsed(storeCell(AccountStorage, storage)),
      extra: { kind: "none" },
      lastPaid: bornAt,
      duePayment: undefined,
    },
    storage,
  };
}

function zeroState(
  options: GenesisOptions,
  workchain: number,
  accounts: ShardAccounts,
  custom: McStateExtra | undefined,
): ZeroState {
  const queue = loadCell(OutMsgQueueInfo, beginCell().storeBit(false).storeBigUint(0n, 64).storeUint(0, 2).cell());
  const totals = loadCell(
    ShardStateTotals,
    beginCell().storeBigUint(0n, 128).storeCoins(0n).storeBit(false).storeCoins(0n).storeUint(0, 3).cell(),
  );
  const state: ShardStateUnsplit = {
    globalId: options.globalId,
    shard: { workchain, shard: wholeShard },
    seqno: 0,
    vertSeqno: 0,
    genUtime: options.bornAt,
    genLt: 0n,
    minRefMcSeqno: unknownSeqno,
    outMsgQueueInfo: makeLinked(OutMsgQueueInfo, queue),
    beforeSplit: false,
    accounts: makeLinked(ShardAccounts, accounts),
    totals: makeLinked(ShardStateTotals, { ...totals, totalBalance: accounts.rootExtra().balance }),
    custom: custom === undefined ? undefined : makeLinked(McStateExtra, custom),
  };
  const bytes = writeBoc(storeCell(ShardStateUnsplit, state), blockForm);
  const root = readRoot(bytes);
  const fileHash = hashFromBytes(createHash("sha256").update(bytes).digest());
  const id: BlockIdExt = { workchain, shard: wholeShard, seqno: 0, rootHash: root.hash(), fileHash };
  return { id, bytes, root };
}

function loadTotal(root: Cell): CurrencyCollection {
  return loadCell(ShardStateUnsplit, root).totals.load().totalBalance;
}
