import { CellError } from "../../cell/base/errors.ts";
import type { Cell } from "../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";

/**
 * Reads over values of the chain's scheme as strictly as the reference does before it accepts them. A value that does
 * not follow the scheme is a `CellError`; `follows` makes a yes or no of it.
 */
export type Skip = (slice: Slice, cells: CellBudget) => void;

/**
 * Cells that one check may still open. The reference stops at this number, and what is larger does not follow the
 * scheme.
 */
export interface CellBudget {
  left: number;
}

/** For a check of the root only: what references hold is not looked at. */
export const rootOnly: CellBudget = { left: Number.NaN };

const maxCells = 1024;

export function cellBudget(): CellBudget {
  return { left: maxCells };
}

/** What is read; `undefined` when the cells do not follow the scheme. */
export function findRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CellError) return undefined;
    throw error;
  }
}

export function follows(check: () => void): boolean {
  const done = findRead(() => {
    check();
    return true;
  });
  return done === true;
}

function refuse(what: string): never {
  throw new CellError("cell/tag", `${what} that the scheme does not allow`);
}

/** ^X: an ordinary cell that the value fills. */
export function skipCell(cell: Cell, skip: Skip, cells: CellBudget): void {
  if (cells === rootOnly) return;
  if (--cells.left < 0) refuse("more cells than one check opens, a size");
  const slice = sliceOf(cell);
  skip(slice, cells);
  slice.end();
}

/** What a scheme accounts for, as a slice of its own. */
export function loadSkipped(slice: Slice, skip: (slice: Slice) => void): Slice {
  const part = slice.clone();
  const before = slice.position;
  skip(slice);
  const after = slice.position;
  return part.loadPart(after.bits - before.bits, after.refs - before.refs);
}

// var_uint$_ {n:#} len:(#< n) value:(uint (len * 8)) = VarUInteger n;
function skipVarUint(slice: Slice, limit: 16 | 32): void {
  const length = slice.loadUint(limit === 16 ? 4 : 5);
  slice.skip(length * 8);
}

/** Coins in their shortest form, or `undefined` for another form of the same number. */
export function loadShortestCoins(slice: Slice): bigint | undefined {
  const isPadded = slice.remainingBits >= 12 && slice.preloadUint(4) !== 0 && (slice.preloadUint(12) & 0xff) === 0;
  const coins = slice.loadCoins();
  return isPadded ? undefined : coins;
}

// anycast_info$_ depth:(#<= 30) { depth >= 1 } rewrite_pfx:(bits depth) = Anycast;
function skipMaybeAnycast(slice: Slice): void {
  if (!slice.loadBit()) return;
  const depth = slice.loadUint(5);
  if (depth < 1 || depth > 30) refuse("an anycast depth");
  slice.skip(depth);
}

// addr_std$10 …, addr_var$11 … = MsgAddressInt;
export function skipInternalAddress(slice: Slice): void {
  const tag = slice.loadUint(2);
  if (tag < 2) refuse("an address of no account");
  skipMaybeAnycast(slice);
  if (tag === 2) slice.skip(264);
  else slice.skip(slice.loadUint(9) + 32);
}

// addr_none$00, addr_extern$01 len:(## 9) external_address:(bits len) = MsgAddressExt;
export function skipExternalAddress(slice: Slice): void {
  const tag = slice.loadUint(2);
  if (tag > 1) refuse("an account where an external address belongs, a tag");
  if (tag === 1) slice.skip(slice.loadUint(9));
}

export function skipAnyAddress(slice: Slice): void {
  if (slice.preloadUint(2) < 2) skipExternalAddress(slice);
  else skipInternalAddress(slice);
}

// hml_short$0 len:(Unary ~n) {n <= m} s:(n * Bit); hml_long$10 n:(#<= m) s:(n * Bit); hml_same$11 v:Bit n:(#<= m)
function skipLabel(slice: Slice, max: number): number {
  const isShort = !slice.loadBit();
  let length = 0;
  if (isShort) {
    while (slice.loadBit()) length++;
  } else {
    const isSame = slice.loadBit();
    if (isSame) slice.skip(1);
    length = slice.loadUint(32 - Math.clz32(max));
    if (isSame) return length > max ? refuse("a label") : length;
  }
  if (length > max) refuse("a label");
  slice.skip(length);
  return length;
}

/** Hashmap n X */
function skipHashmap(slice: Slice, keyBits: number, skipValue: Skip, cells: CellBudget): void {
  const rest = keyBits - skipLabel(slice, keyBits);
  if (rest === 0) {
    skipValue(slice, cells);
    return;
  }
  const skipHalf: Skip = (half) => skipHashmap(half, rest - 1, skipValue, cells);
  skipCell(slice.loadRef(), skipHalf, cells);
  skipCell(slice.loadRef(), skipHalf, cells);
}

/** HashmapE n X */
function skipHashmapE(slice: Slice, keyBits: number, skipValue: Skip, cells: CellBudget): void {
  if (slice.loadBit()) skipCell(slice.loadRef(), (root) => skipHashmap(root, keyBits, skipValue, cells), cells);
}

const skipAmount: Skip = (slice) => skipVarUint(slice, 32);

// extra_currencies$_ dict:(HashmapE 32 (VarUInteger 32)) = ExtraCurrencyCollection;
/**
 * The extra currencies of a message or an account, which everything after this walks: the reference makes and accepts
 * no collection of more cells than one check opens, however few different cells it consists of.
 */
export function loadExtraRoot(slice: Slice): Cell | undefined {
  const root = slice.loadMaybeRef();
  if (root !== undefined) skipCell(root, (edge, cells) => skipHashmap(edge, 32, skipAmount, cells), cellBudget());
  return root;
}

// currencies$_ grams:Grams other:ExtraCurrencyCollection = CurrencyCollection;
/** In any form of its numbers. */
export const skipCurrencies: Skip = (slice, cells) => {
  skipVarUint(slice, 16);
  skipHashmapE(slice, 32, skipAmount, cells);
};

/** Numbers in their shortest form, and no extra currency of zero. */
export const skipStrictCurrencies: Skip = (slice, cells) => {
  if (loadShortestCoins(slice) === undefined) refuse("a number with zeros in front");
  skipHashmapE(slice, 32, skipPositive, cells);
};

function skipPositive(slice: Slice): void {
  const length = slice.loadUint(5);
  if (length === 0 || slice.preloadUint(8) === 0) refuse("an amount of zero or with zeros in front");
  slice.skip(length * 8);
}

// simple_lib$_ public:Bool root:^Cell = SimpleLib;
function skipLibrary(slice: Slice): void {
  slice.skip(1).skipRefs(1);
}

function skipStateInitHead(slice: Slice): void {
  if (slice.loadBit()) slice.skip(5);
  if (slice.loadBit()) slice.skip(2);
  if (slice.loadBit()) slice.skipRefs(1);
  if (slice.loadBit()) slice.skipRefs(1);
}

// _ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
//   library:(Maybe ^Cell) = StateInit;
export function skipStateInit(slice: Slice): void {
  skipStateInitHead(slice);
  if (slice.loadBit()) slice.skipRefs(1);
}

/** StateInit whose libraries are a dictionary of libraries. */
export const skipStateInitWithLibraries: Skip = (slice, cells) => {
  skipStateInitHead(slice);
  skipHashmapE(slice, 256, skipLibrary, cells);
};

// init:(Maybe (Either StateInit ^StateInit))
export const skipMaybeInit: Skip = (slice, cells) => {
  if (!slice.loadBit()) return;
  if (slice.loadBit()) skipCell(slice.loadRef(), skipStateInit, cells);
  else skipStateInit(slice);
};

// body:(Either X ^X)
export const skipBody: Skip = (slice, cells) => {
  const takeAll: Skip = (rest) => void rest.skip(rest.remainingBits).skipRefs(rest.remainingRefs);
  if (slice.loadBit()) skipCell(slice.loadRef(), takeAll, cells);
  else takeAll(slice, cells);
};
