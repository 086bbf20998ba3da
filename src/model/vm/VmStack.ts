import { type Builder, beginCell, emptyCell } from "../../cell/Builder.ts";
import { CellError } from "../../cell/base/errors.ts";
import type { Cell } from "../../cell/Cell.ts";
import type { Codec } from "../../cell/codec.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { ModelError } from "../errors.ts";
import { call, type Nested, runNested } from "./nested.ts";
import { VmCellSlice } from "./VmCellSlice.ts";
import type { VmContValue, VmValues as VmStackOf, VmValue } from "./VmValue.ts";
import { loadCont, saveListCodec, storeCont, type VmWalk } from "./vmCont.ts";

export type VmStack = VmStackOf;
export type VmStackValue = VmValue;
export type VmCont = VmContValue;

/**
 * The largest number of values in one stack, nested ones included. With shared cells a few hundred cells can represent
 * 2^500 values. Lists of 8000 entries fit, which is what answers and requests of the API may have.
 */
export const maxVmValues = 1 << 14;

const smallest = -(1n << 63n);
const largest = (1n << 63n) - 1n;

function makeWalk(): VmWalk {
  let left = maxVmValues;
  const walk: VmWalk = {
    spend: () => {
      if (--left < 0) throw new ModelError("model/value", `more than ${maxVmValues} values in one stack`);
    },
    loadStack: (slice) => loadStack(slice, walk),
    storeStack: (builder, stack) => storeStack(builder, stack, walk),
    saveList: saveListCodec(VmStackValue),
  };
  return walk;
}

// vm_stk_null#00 = VmStackValue;
// vm_stk_tinyint#01 value:int64 = VmStackValue;
// vm_stk_int#0201_ value:int257 = VmStackValue;
// vm_stk_nan#02ff = VmStackValue;
// vm_stk_cell#03 cell:^Cell = VmStackValue;
// vm_stk_slice#04 _:VmCellSlice = VmStackValue;
// vm_stk_builder#05 cell:^Cell = VmStackValue;
// vm_stk_cont#06 cont:VmCont = VmStackValue;
// vm_stk_tuple#07 len:(## 16) data:(VmTuple len) = VmStackValue;
function* loadValue(slice: Slice, walk: VmWalk): Nested<VmValue> {
  walk.spend();
  const tag = slice.loadUint(8);
  switch (tag) {
    case 0:
      return { kind: "null" };
    case 1:
      return { kind: "int", value: slice.loadBigInt(64) };
    case 2:
      return loadWideInt(slice);
    case 3:
      return { kind: "cell", cell: slice.loadRef() };
    case 4:
      return { kind: "slice", slice: VmCellSlice.load(slice) };
    case 5:
      return { kind: "builder", cell: slice.loadRef() };
    case 6:
      return { kind: "cont", cont: yield* call(loadCont(slice, walk)) };
    case 7:
      return { kind: "tuple", items: yield* loadTuple(slice, walk) };
    default:
      throw new CellError("cell/tag", `no stack value begins with the byte ${tag}`);
  }
}

function loadWideInt(slice: Slice): VmValue {
  const tag = slice.loadUint(7);
  if (tag === 0) return { kind: "int", value: slice.loadBigInt(257) };
  if (tag !== 0x7f || !slice.loadBit())
    throw new CellError("cell/tag", `no stack value begins with 02 and bits ${tag}`);
  return { kind: "nan" };
}

function* storeValue(builder: Builder, value: VmValue, walk: VmWalk): Nested<void> {
  walk.spend();
  switch (value.kind) {
    case "null":
      return void builder.storeUint(0, 8);
    case "int":
      return storeInt(builder, value.value);
    case "nan":
      return void builder.storeUint(0x02ff, 16);
    case "cell":
      return void builder.storeUint(3, 8).storeRef(value.cell);
    case "slice":
      return VmCellSlice.store(builder.storeUint(4, 8), value.slice);
    case "builder":
      return void builder.storeUint(5, 8).storeRef(value.cell);
    case "cont":
      return yield* call(storeCont(builder.storeUint(6, 8), value.cont, walk));
    case "tuple":
      return yield* storeTuple(builder.storeUint(7, 8), value.items, walk);
  }
}

/** The node uses the short form whenever the number fits. */
function storeInt(builder: Builder, value: bigint): void {
  if (value >= smallest && value <= largest) builder.storeUint(1, 8).storeBigInt(value, 64);
  else builder.storeUint(0x0100, 15).storeBigInt(value, 257);
}

// vm_tupref_nil$_ = VmTupleRef 0;
// vm_tupref_single$_ entry:^VmStackValue = VmTupleRef 1;
// vm_tupref_any$_ {n:#} ref:^(VmTuple (n + 2)) = VmTupleRef (n + 2);
// vm_tuple_nil$_ = VmTuple 0;
// vm_tuple_tcons$_ {n:#} head:(VmTupleRef n) tail:^VmStackValue = VmTuple (n + 1);
function* loadTuple(slice: Slice, walk: VmWalk): Nested<readonly VmValue[]> {
  const items: VmValue[] = [];
  let at = slice;
  for (let left = slice.loadUint(16); left > 0; left--) {
    const head = left > 1 ? at.loadRef() : undefined;
    items.push(yield* loadRefValue(at.loadRef(), walk));
    if (at !== slice) at.end();
    if (head === undefined) break;
    if (left === 2) {
      items.push(yield* loadRefValue(head, walk));
      break;
    }
    at = sliceOf(head);
  }
  return items.reverse();
}

function* loadRefValue(cell: Cell, walk: VmWalk): Nested<VmValue> {
  const slice = sliceOf(cell);
  const value = yield* call(loadValue(slice, walk));
  slice.end();
  return value;
}

function* storeTuple(builder: Builder, items: readonly VmValue[], walk: VmWalk): Nested<void> {
  builder.storeUint(items.length, 16);
  let head: Cell | undefined;
  for (const [i, item] of items.entries()) {
    const tail = beginCell();
    yield* call(storeValue(tail, item, walk));
    const isLast = i === items.length - 1;
    const target = isLast ? builder : beginCell();
    if (head !== undefined) target.storeRef(head);
    target.storeRef(tail.cell());
    if (!isLast) head = i === 0 ? tail.cell() : target.cell();
  }
}

// vm_stack#_ depth:(## 24) stack:(VmStackList depth) = VmStack;
// vm_stk_cons#_ {n:#} rest:^(VmStackList n) tos:VmStackValue = VmStackList (n + 1);
// vm_stk_nil#_ = VmStackList 0;
function* loadStack(slice: Slice, walk: VmWalk): Nested<VmStackOf> {
  const values: VmValue[] = [];
  let at = slice;
  for (let left = slice.loadUint(24); left > 0; left--) {
    const rest = at.loadRef();
    values.push(yield* call(loadValue(at, walk)));
    if (at !== slice) at.end();
    at = sliceOf(rest);
  }
  if (at !== slice) at.end();
  return values.reverse();
}

function* storeStack(builder: Builder, stack: VmStackOf, walk: VmWalk): Nested<void> {
  builder.storeUint(stack.length, 24);
  let rest = emptyCell;
  for (const [i, value] of stack.entries()) {
    const isTop = i === stack.length - 1;
    const target = isTop ? builder : beginCell();
    yield* call(storeValue(target.storeRef(rest), value, walk));
    if (!isTop) rest = target.cell();
  }
}

export const VmStackValue: Codec<VmValue> = {
  load: (slice) => runNested(loadValue(slice, makeWalk())),
  store: (builder, value) => runNested(storeValue(builder, value, makeWalk())),
};

/** A whole stack, in the form that lite servers and get-methods use. */
export const VmStack: Codec<VmStackOf> = {
  load: (slice) => runNested(loadStack(slice, makeWalk())),
  store: (builder, stack) => runNested(storeStack(builder, stack, makeWalk())),
};

export const VmCont: Codec<VmContValue> = {
  load: (slice) => runNested(loadCont(slice, makeWalk())),
  store: (builder, cont) => runNested(storeCont(builder, cont, makeWalk())),
};
