import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import type { ShardAccount } from "../../model/Account.ts";
import { type Address, accountOf, plainAddress, workchainOf } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { type Hash, zeroHash } from "../../model/Hash.ts";
import { type Money, noMoney } from "../../model/Money.ts";
import { internalAddress } from "../../model/messageAddress.ts";
import { loadExtraRoot, loadShortestCoins, loadSkipped, skipInternalAddress } from "../../model/strict/schemes.ts";
import { TvmError } from "../errors.ts";
import type { Rules } from "./rules.ts";

export type AccountDataStatus = "nonexist" | "uninit" | "frozen" | "active";

/** The parts of a state that code can change. */
export interface AccountCells {
  readonly code: Cell | undefined;
  readonly data: Cell | undefined;
  readonly library: Cell | undefined;
}

export interface AccountFlags {
  readonly tick: boolean;
  readonly tock: boolean;
  readonly fixedPrefixLength: number;
}

export interface AccountData extends AccountCells, AccountFlags {
  readonly cell: Cell;
  readonly workchain: number;
  readonly isMasterchain: boolean;
  readonly isSpecial: boolean;
  /** The 256 bits by which it is found, an anycast prefix put in its place. */
  readonly id: Hash;
  /** The 256 bits that its address holds. */
  readonly originalId: Hash;
  /** Its address as it is stored, and without anycast. */
  readonly address: Cell;
  readonly exactAddress: Cell;
  /** Length of the anycast prefix; `undefined` while a deployment may still choose one. */
  readonly rewriteLength: number | undefined;
  readonly status: AccountDataStatus;
  readonly lastTransactionHash: Hash;
  readonly lastTransactionLt: bigint;
  /** First lt that the next transaction may have. */
  readonly endLt: bigint;
  readonly balance: Money;
  readonly lastPaid: number;
  readonly duePayment: bigint;
  readonly usedCells: number;
  readonly usedBits: number;
  readonly dictHash: Hash | undefined;
  /** Bits of `AccountStorage` itself. */
  readonly storageBits: number;
  /** Hash of the state that a message must bring to revive the account. */
  readonly stateHash: Hash;
}

const none = { code: undefined, data: undefined, library: undefined, tick: false, tock: false, fixedPrefixLength: 0 };

/** Reads an account; `address` names one that does not exist yet. */
export function loadAccountData(stored: ShardAccount, address: Address | undefined, rules: Rules): AccountData {
  const slice = sliceOf(stored.account.cell);
  if (slice.loadBit()) return loadExisting(stored, slice, rules);
  if (address === undefined) throw new TvmError("tvm/input", "an account that does not exist cannot run code");
  return newAccount(stored, address);
}

function newAccount({ account, lastTransactionHash, lastTransactionLt }: ShardAccount, address: Address): AccountData {
  const id = accountOf(address);
  const workchain = workchainOf(address);
  const exactAddress = addressCell(address);
  return {
    // The reference looks for special accounts among those that exist.
    ...{
      cell: account.cell,
      workchain,
      isMasterchain: workchain === masterchain,
      isSpecial: false,
      status: "nonexist",
    },
    ...{ id, originalId: id, stateHash: id, address: exactAddress, exactAddress, rewriteLength: undefined },
    ...{ lastTransactionHash, lastTransactionLt, endLt: 0n, balance: noMoney, lastPaid: 0, duePayment: 0n },
    ...{ usedCells: 0, usedBits: 0, dictHash: undefined, storageBits: 0, ...none },
  };
}

function addressCell(address: Address): Cell {
  const builder = beginCell();
  internalAddress.store(builder, address);
  return builder.cell();
}

/** Written out field by field: this is made for every transaction, and spreads would take a third of its time. */
function loadExisting(stored: ShardAccount, slice: Slice, rules: Rules): AccountData {
  const part = loadSkipped(slice, skipInternalAddress);
  const plain = plainAddress(internalAddress.load(part.clone()));
  const id = accountOf(plain);
  const workchain = workchainOf(plain);
  const usedCells = slice.loadSmallVarUint(7);
  const usedBits = slice.loadSmallVarUint(7);
  const dictHash = slice.loadUint(3) === 1 ? slice.loadHash() : undefined;
  const lastPaid = slice.loadUint(32);
  const duePayment = slice.loadBit() ? slice.loadCoins() : 0n;
  const storageBits = slice.remainingBits;
  const endLt = slice.loadBigUint(64);
  const balance = loadBalance(slice);
  const status = loadStatus(slice);
  const stateHash = status === "frozen" ? slice.loadHash() : status === "uninit" ? id : zeroHash;
  const state = status === "active" ? loadStateInit(slice) : none;
  slice.end();
  const exactAddress = addressCell(plain);
  // An account without state forgets the anycast address that a message once gave it.
  const isForgotten = status === "uninit" || part.remainingBits === exactAddress.bitLength;
  return {
    cell: stored.account.cell,
    workchain,
    isMasterchain: workchain === masterchain,
    isSpecial: rules.isSpecial(workchain, id),
    id,
    originalId: isForgotten ? id : lastBits(part.clone()),
    address: isForgotten ? exactAddress : part.clone().loadRest(),
    exactAddress,
    rewriteLength: status === "uninit" ? undefined : anycastLength(part.clone()),
    status,
    lastTransactionHash: stored.lastTransactionHash,
    lastTransactionLt: stored.lastTransactionLt,
    endLt,
    balance,
    lastPaid,
    duePayment,
    usedCells,
    usedBits,
    dictHash,
    storageBits,
    stateHash,
    code: state.code,
    data: state.data,
    library: state.library,
    tick: state.tick,
    tock: state.tock,
    fixedPrefixLength: state.fixedPrefixLength,
  };
}

function anycastLength(address: Slice): number {
  address.skip(2);
  return address.loadBit() ? address.loadUint(5) : 0;
}

function lastBits(address: Slice): Hash {
  return address.skip(address.remainingBits - 256).loadHash();
}

function loadBalance(slice: Slice): Money {
  const coins = loadShortestCoins(slice);
  if (coins === undefined) throw new TvmError("tvm/input", "a balance with zeros in front");
  return { coins, extra: loadExtraRoot(slice) };
}

// account_uninit$00 = AccountState; account_active$1 _:StateInit = AccountState; account_frozen$01 … = AccountState;
function loadStatus(slice: Slice): "active" | "frozen" | "uninit" {
  if (slice.loadBit()) return "active";
  return slice.loadBit() ? "frozen" : "uninit";
}

// _ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
//   library:(Maybe ^Cell) = StateInit;
/** The parts of a state, its libraries as the root of their dictionary. */
export function loadStateInit(slice: Slice): AccountCells & AccountFlags {
  const fixedPrefixLength = slice.loadBit() ? slice.loadUint(5) : 0;
  const special = slice.loadBit() ? slice.loadUint(2) : 0;
  const code = slice.loadMaybeRef();
  const data = slice.loadMaybeRef();
  const library = slice.loadMaybeRef();
  return { fixedPrefixLength, tick: (special & 2) !== 0, tock: (special & 1) !== 0, code, data, library };
}
