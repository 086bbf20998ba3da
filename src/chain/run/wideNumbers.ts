import { createHash } from "node:crypto";
import type { VmStack, VmStackValue } from "../../model/vm/VmStack.ts";

/*
 * Callers may pass numbers that the machine does not have: its own have 257 bits with sign. To the code such a number
 * is NaN, like the result of an overflow. If the code returns it unchanged, the caller gets it back.
 */

/** Runs with numbers of any size on the stack. Numbers of the machine's size cost nothing extra. */
export async function runWithWideNumbers<R extends { readonly stack: VmStack }>(
  vmStack: VmStack,
  run: (stack: VmStack) => Promise<R>,
): Promise<R> {
  if (!holds(vmStack, isWide)) return run(vmStack);
  const outcome = await run(mapValues(vmStack, [], (value) => (isWide(value) ? { kind: "nan" } : value)));
  if (!holds(outcome.stack, ({ kind }) => kind === "nan")) return outcome;
  // A NaN in the result was returned unchanged or computed: a second run with markers in place of the wide numbers
  // shows which.
  const marked = new Map<bigint, VmStackValue>();
  const second = await run(mapValues(vmStack, [], (value) => (isWide(value) ? markOf(value, marked) : value)));
  const stack = mapValues(outcome.stack, second.stack, (value, other) =>
    value.kind === "nan" && other?.kind === "int" ? (marked.get(other.value) ?? value) : value,
  );
  return { ...outcome, stack };
}

type WideInt = Extract<VmStackValue, { readonly kind: "int" }>;

function isWide(value: VmStackValue): value is WideInt {
  return value.kind === "int" && value.value !== BigInt.asIntN(257, value.value);
}

/** A number of the machine's size that code does not compute by accident. */
function markOf(wide: WideInt, marked: Map<bigint, VmStackValue>): VmStackValue {
  const mark = BigInt(`0x${createHash("sha256").update(`a wide number: ${wide.value}`).digest("hex")}`);
  marked.set(mark, wide);
  return { kind: "int", value: mark };
}

/** Whether the stack or its tuples contain such a value; a tuple that is in many places is looked at once. */
function holds(stack: VmStack, isIt: (value: VmStackValue) => boolean): boolean {
  const open = [...stack];
  const known = new Set<VmStackValue>();
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (isIt(value)) return true;
    if (value.kind !== "tuple" || known.has(value)) continue;
    known.add(value);
    for (const item of value.items) open.push(item);
  }
  return false;
}

/** Tuples with values that are still to be replaced. */
interface Level {
  readonly from: VmStack;
  readonly beside: VmStack;
  readonly into: VmStackValue[];
}

/**
 * Replaces all values that are not tuples, each together with its counterpart on another stack; tuples may be nested to
 * any depth. A tuple that is in many places is replaced once for each counterpart.
 */
function mapValues(
  stack: VmStack,
  beside: VmStack,
  change: (value: VmStackValue, other: VmStackValue | undefined) => VmStackValue,
): VmStack {
  const mapped: VmStackValue[] = [];
  const open: Level[] = [{ from: stack, beside, into: mapped }];
  const known = new Map<VmStackValue, Map<VmStackValue | undefined, VmStackValue>>();
  for (let level = open.pop(); level !== undefined; level = open.pop()) {
    for (const [at, value] of level.from.entries()) {
      const other = level.beside[at];
      if (value.kind !== "tuple") {
        level.into.push(change(value, other));
        continue;
      }
      const pair = other?.kind === "tuple" ? other : undefined;
      const made = known.get(value)?.get(pair);
      if (made !== undefined) {
        level.into.push(made);
        continue;
      }
      const items: VmStackValue[] = [];
      const tuple: VmStackValue = { kind: "tuple", items };
      level.into.push(tuple);
      known.set(value, (known.get(value) ?? new Map()).set(pair, tuple));
      open.push({ from: value.items, beside: pair?.items ?? [], into: items });
    }
  }
  return mapped;
}
