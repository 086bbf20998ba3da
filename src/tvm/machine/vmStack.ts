import { Cell } from "../../cell/Cell.ts";
import { makeDictionary } from "../../cell/dictionary.ts";
import { uintKey } from "../../cell/keys.ts";
import type { VmCellSlice } from "../../model/vm/VmCellSlice.ts";
import { type VmCont, type VmStack, VmStackValue } from "../../model/vm/VmStack.ts";
import type { VmControlData } from "../../model/vm/VmValue.ts";
import { CellBuilder, emptyBuilder } from "./CellBuilder.ts";
import { CellSlice } from "./CellSlice.ts";
import { fromBig } from "./integers.ts";
import { Continuation, type ControlData, type SpecialStep, type StackValue } from "./StackValue.ts";

/**
 * Conversion between the values of the machine and those of the model. Values inside values are converted first, from a
 * list of what waits and not by recursion: code can nest them as deep as its gas allows, and share them.
 */

type Inner = StackValue & object;
const registerNumbers = ([0, 1, 2, 3, 4, 5, 7] as const).map((number) => [`c${number}`, number] as const);

const isNested = (value: StackValue | undefined): value is Inner =>
  Array.isArray(value) || value instanceof Continuation;

function nestedIn(value: Inner): Inner[] {
  if (!(value instanceof Continuation)) return (value as readonly StackValue[]).filter(isNested);
  const { step, data } = value;
  const registers = data === undefined ? [] : registerNumbers.map(([name]) => data[name] ?? null);
  return [...registers, ...(data?.stack ?? []), ...continuationsOf(step)].filter(isNested);
}

function continuationsOf(step: CellSlice | SpecialStep): Continuation[] {
  if (step instanceof CellSlice) return [];
  return Object.values(step).filter((part): part is Continuation => part instanceof Continuation);
}

/** A stack of the machine as the model has it. */
export function toVmStack(stack: readonly StackValue[]): VmStack {
  const done = new Map<Inner, VmStackValue>();
  const waiting = stack.filter(isNested);
  for (let value = waiting.at(-1); value !== undefined; value = waiting.at(-1)) {
    const inner = done.has(value) ? [] : nestedIn(value).filter((each) => !done.has(each));
    if (inner.length > 0) {
      waiting.push(...inner);
    } else {
      waiting.pop();
      if (!done.has(value)) done.set(value, convertNested(value, done));
    }
  }
  return stack.map((value) => convert(value, done));
}

type Done = ReadonlyMap<Inner, VmStackValue>;

function convert(value: StackValue, done: Done): VmStackValue {
  if (value === null) return { kind: "null" };
  if (typeof value === "number" || typeof value === "bigint")
    return Number.isNaN(value) ? { kind: "nan" } : { kind: "int", value: BigInt(value) };
  if (value instanceof Cell) return { kind: "cell", cell: value };
  if (value instanceof CellSlice) return { kind: "slice", slice: toVmSlice(value) };
  if (value instanceof CellBuilder) return { kind: "builder", cell: value.cell() };
  return done.get(value) as VmStackValue;
}

function convertNested(value: Inner, done: Done): VmStackValue {
  if (value instanceof Continuation) return { kind: "cont", cont: toVmCont(value, done) };
  return { kind: "tuple", items: (value as readonly StackValue[]).map((item) => convert(item, done)) };
}

function toVmSlice({ cell, at, end, ref, refEnd }: CellSlice): VmCellSlice {
  const first = cell.dataAt * 8;
  return { cell, bitStart: at - first, bitEnd: end - first, refStart: ref, refEnd };
}

/** Continuations have the same kinds and fields on both sides, so that only what they hold is converted. */
function mapHeld(step: object, convert: (part: never) => unknown): object {
  const entries = Object.entries(step).map(([name, part]) => [
    name,
    typeof part === "object" ? convert(part as never) : part,
  ]);
  return Object.fromEntries(entries);
}

function toVmCont({ step, data }: Continuation, done: Done): VmCont {
  const contOf = (inner: Continuation): VmCont => (done.get(inner) as { readonly cont: VmCont }).cont;
  if (step instanceof CellSlice) return { kind: "std", data: toControlData(data, done), code: toVmSlice(step) };
  const count = step.kind === "repeat" ? { count: BigInt(step.count) } : {};
  const envelope = step.kind === "envelope" ? { data: toControlData(data, done) } : {};
  return { ...mapHeld(step, contOf), ...count, ...envelope } as VmCont;
}

function toControlData(data: ControlData | undefined, done: Done): VmControlData {
  const saved = registerNumbers.flatMap(([name, number]): [number, VmStackValue][] => {
    const value = data?.[name];
    return value === undefined ? [] : [[number, convert(value, done)]];
  });
  return {
    nargs: data === undefined || data.nargs < 0 ? undefined : data.nargs & 0x1fff, // The field has 13 bits.
    stack: data?.stack?.map((value) => convert(value, done)),
    save: makeDictionary(uintKey(4), VmStackValue, saved),
    codepage: data === undefined || data.codepage === -1 ? undefined : data.codepage,
  };
}

/** A stack of the model as values of the machine. */
export function fromVmStack(stack: VmStack): StackValue[] {
  return stack.map(fromVmValue);
}

/** Recursion here is as deep as the given values are nested, which their reader bounds by the depth of cells. */
export function fromVmValue(value: VmStackValue): StackValue {
  if (value.kind === "null") return null;
  if (value.kind === "nan") return Number.NaN;
  if (value.kind === "int") return fromBig(value.value);
  if (value.kind === "cell") return value.cell;
  if (value.kind === "slice") return fromVmSlice(value.slice);
  if (value.kind === "builder") return builderOf(value.cell);
  return value.kind === "cont" ? fromVmCont(value.cont) : value.items.map(fromVmValue);
}

function fromVmSlice({ cell, bitStart, bitEnd, refStart, refEnd }: VmCellSlice): CellSlice {
  const first = cell.dataAt * 8;
  return new CellSlice(cell, first + bitStart, first + bitEnd, refStart, refEnd);
}

function builderOf(cell: Cell): CellBuilder {
  return emptyBuilder()
    .withBits(cell.bytes, cell.dataAt * 8, cell.bitLength)
    .withRefs(cell.refs());
}

function fromVmCont(cont: VmCont): Continuation {
  if (cont.kind === "std") return new Continuation(fromVmSlice(cont.code), fromControlData(cont.data));
  if (cont.kind === "envelope")
    return new Continuation({ kind: "envelope", next: fromVmCont(cont.next) }, fromControlData(cont.data));
  const count = cont.kind === "repeat" ? { count: fromBig(cont.count) } : {};
  return new Continuation({ ...mapHeld(cont, fromVmCont), ...count } as SpecialStep, undefined);
}

function fromControlData({ nargs, stack, save, codepage }: VmControlData): ControlData {
  const saved = Object.fromEntries(
    registerNumbers.map(([name, number]) => {
      const value = save.find(number);
      return [name, value === undefined ? undefined : fromVmValue(value)];
    }),
  );
  // The reader of save lists has checked nothing of the types; a register of a wrong type fails when it is used.
  const registers = saved as unknown as Omit<ControlData, "nargs" | "stack" | "codepage">;
  return { ...registers, stack: stack?.map(fromVmValue), nargs: nargs ?? -1, codepage: codepage ?? -1 };
}
