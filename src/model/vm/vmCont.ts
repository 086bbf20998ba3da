import { type Builder, beginCell } from "../../cell/Builder.ts";
import { CellError } from "../../cell/base/errors.ts";
import { bigUint, type Codec, int, int32, maybe, parseTag, type Tag, uint } from "../../cell/codec.ts";
import { dictionary } from "../../cell/dictionary.ts";
import { uintKey } from "../../cell/keys.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { call, type Nested } from "./nested.ts";
import { VmCellSlice } from "./VmCellSlice.ts";
import type { VmControlData, VmContValue, VmSaveList, VmValue, VmValues } from "./VmValue.ts";

/** What continuations need from the stack codec; passed in, because stacks contain continuations. */
export interface VmWalk {
  /** Counts one more value; refuses when there are too many. */
  spend(): void;
  loadStack(slice: Slice): Nested<VmValues>;
  storeStack(builder: Builder, stack: VmValues): Nested<void>;
  readonly saveList: Codec<VmSaveList>;
}

// _ cregs:(HashmapE 4 VmStackValue) = VmSaveList;
export function saveListCodec(value: Codec<VmValue>): Codec<VmSaveList> {
  return dictionary(uintKey(4), value);
}

const nargs = maybe(uint(13));
const codepage = maybe(int(16));
const count = bigUint(63);

// vm_ctl_data$_ nargs:(Maybe uint13) stack:(Maybe VmStack) save:VmSaveList cp:(Maybe int16) = VmControlData;
function* loadControlData(slice: Slice, walk: VmWalk): Nested<VmControlData> {
  const args = nargs.load(slice);
  const stack = slice.loadBit() ? yield* call(walk.loadStack(slice)) : undefined;
  const save = walk.saveList.load(slice);
  return { nargs: args, stack, save, codepage: codepage.load(slice) };
}

function* storeControlData(builder: Builder, data: VmControlData, walk: VmWalk): Nested<void> {
  nargs.store(builder, data.nargs);
  builder.storeBit(data.stack !== undefined);
  if (data.stack !== undefined) yield* call(walk.storeStack(builder, data.stack));
  walk.saveList.store(builder, data.save);
  codepage.store(builder, data.codepage);
}

const tags: Readonly<Record<VmContValue["kind"], Tag>> = {
  std: parseTag("$00"),
  envelope: parseTag("$01"),
  quit: parseTag("$1000"),
  quitExc: parseTag("$1001"),
  repeat: parseTag("$10100"),
  until: parseTag("$110000"),
  again: parseTag("$110001"),
  whileCond: parseTag("$110010"),
  whileBody: parseTag("$110011"),
  pushInt: parseTag("$1111"),
};

const kinds = Object.keys(tags) as VmContValue["kind"][];

function loadKind(slice: Slice): VmContValue["kind"] {
  for (const kind of kinds) {
    const { value, bits } = tags[kind];
    if (slice.remainingBits < bits || slice.preloadUint(bits) !== value) continue;
    slice.skip(bits);
    return kind;
  }
  throw new CellError("cell/tag", "none of the constructors of VmCont is here");
}

function* loadRef(slice: Slice, walk: VmWalk): Nested<VmContValue> {
  const inner = sliceOf(slice.loadRef());
  const cont = yield* call(loadCont(inner, walk));
  inner.end();
  return cont;
}

function* storeRefs(builder: Builder, conts: readonly VmContValue[], walk: VmWalk): Nested<void> {
  for (const cont of conts) {
    const inner = beginCell();
    yield* call(storeCont(inner, cont, walk));
    builder.storeRef(inner.cell());
  }
}

// vmc_std$00 cdata:VmControlData code:VmCellSlice = VmCont;
// vmc_envelope$01 cdata:VmControlData next:^VmCont = VmCont;
// vmc_quit$1000 exit_code:int32 = VmCont;
// vmc_quit_exc$1001 = VmCont;
// vmc_repeat$10100 count:uint63 body:^VmCont after:^VmCont = VmCont;
// vmc_until$110000 body:^VmCont after:^VmCont = VmCont;
// vmc_again$110001 body:^VmCont = VmCont;
// vmc_while_cond$110010 cond:^VmCont body:^VmCont after:^VmCont = VmCont;
// vmc_while_body$110011 cond:^VmCont body:^VmCont after:^VmCont = VmCont;
// vmc_pushint$1111 value:int32 next:^VmCont = VmCont;
export function* loadCont(slice: Slice, walk: VmWalk): Nested<VmContValue> {
  walk.spend();
  const kind = loadKind(slice);
  switch (kind) {
    case "std":
      return { kind, data: yield* loadControlData(slice, walk), code: VmCellSlice.load(slice) };
    case "envelope":
      return { kind, data: yield* loadControlData(slice, walk), next: yield* loadRef(slice, walk) };
    case "quit":
      return { kind, exitCode: int32.load(slice) };
    case "quitExc":
      return { kind };
    case "repeat": {
      const times = count.load(slice);
      return { kind, count: times, body: yield* loadRef(slice, walk), after: yield* loadRef(slice, walk) };
    }
    case "until":
      return { kind, body: yield* loadRef(slice, walk), after: yield* loadRef(slice, walk) };
    case "again":
      return { kind, body: yield* loadRef(slice, walk) };
    case "whileCond":
    case "whileBody": {
      const cond = yield* loadRef(slice, walk);
      return { kind, cond, body: yield* loadRef(slice, walk), after: yield* loadRef(slice, walk) };
    }
    case "pushInt": {
      const value = int32.load(slice);
      return { kind, value, next: yield* loadRef(slice, walk) };
    }
  }
}

export function* storeCont(builder: Builder, cont: VmContValue, walk: VmWalk): Nested<void> {
  walk.spend();
  const tag = tags[cont.kind];
  builder.storeUint(tag.value, tag.bits);
  switch (cont.kind) {
    case "std":
      yield* storeControlData(builder, cont.data, walk);
      return VmCellSlice.store(builder, cont.code);
    case "envelope":
      yield* storeControlData(builder, cont.data, walk);
      return yield* storeRefs(builder, [cont.next], walk);
    case "quit":
      return int32.store(builder, cont.exitCode);
    case "quitExc":
      return;
    case "repeat":
      count.store(builder, cont.count);
      return yield* storeRefs(builder, [cont.body, cont.after], walk);
    case "until":
      return yield* storeRefs(builder, [cont.body, cont.after], walk);
    case "again":
      return yield* storeRefs(builder, [cont.body], walk);
    case "whileCond":
    case "whileBody":
      return yield* storeRefs(builder, [cont.cond, cont.body, cont.after], walk);
    case "pushInt":
      int32.store(builder, cont.value);
      return yield* storeRefs(builder, [cont.next], walk);
  }
}
