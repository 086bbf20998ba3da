import { Cell } from "../../cell/Cell.ts";
import { CellBuilder } from "./CellBuilder.ts";
import { CellSlice } from "./CellSlice.ts";
import { Exception, fail } from "./exceptions.ts";
import { Continuation, type Integer, type StackValue, type Tuple } from "./StackValue.ts";

const limit = 1n << 256n;
const smallest = -limit;
const safe = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * The stack of a machine. Values stand in `items[0 … depth - 1]`; what was popped stays behind `depth` until it is
 * overwritten, so that an instruction which popped only can be taken back by restoring `depth`.
 */
export class Stack {
  items: StackValue[];
  depth: number;

  constructor(values: readonly StackValue[]) {
    this.items = values.slice();
    this.depth = values.length;
  }

  need(count: number): this {
    if (this.depth < count) fail(Exception.stackUnderflow);
    return this;
  }

  /** Throws unless there are values at these distances from the top. */
  reach(a: number, b = 0, c = 0, d = 0): this {
    return this.need(Math.max(a, b, c, d) + 1);
  }

  /** The value at a distance from the top; the caller has checked that it is there, here and below. */
  at(index: number): StackValue {
    return this.items[this.depth - 1 - index] as StackValue;
  }

  set(index: number, value: StackValue): this {
    this.items[this.depth - 1 - index] = value;
    return this;
  }

  swap(i: number, j: number): this {
    const { items } = this;
    const a = this.depth - 1 - i;
    const b = this.depth - 1 - j;
    const value = items[a] as StackValue;
    items[a] = items[b] as StackValue;
    items[b] = value;
    return this;
  }

  push(value: StackValue): this {
    this.items[this.depth++] = value;
    return this;
  }

  /** Pushes a value once more: at a distance from what was the top before `above` values were pushed. */
  copy(index: number, above = 0): this {
    return this.push(this.at(index + above));
  }

  pushBool(value: boolean): this {
    return this.push(value ? -1 : 0);
  }

  /** A number of any size: NaN and what has more than 257 bits are an overflow, or NaN in quiet instructions. */
  pushInt(value: Integer, quiet = false): this {
    if (typeof value === "number" ? Number.isNaN(value) : value >= limit || value < smallest)
      return this.push(quiet ? Number.NaN : fail(Exception.integerOverflow));
    return this.push(value);
  }

  /** A whole number that need not be in its one form. */
  pushBig(value: bigint, quiet: boolean): this {
    return value > safe || value < -safe ? this.pushInt(value, quiet) : this.push(Number(value));
  }

  pushMaybe(value: StackValue | undefined): this {
    return this.push(value ?? null);
  }

  pushFound(value: StackValue | undefined): this {
    return value === undefined ? this.push(0) : this.push(value).push(-1);
  }

  pop(): StackValue {
    if (this.depth === 0) fail(Exception.stackUnderflow);
    return this.items[--this.depth] as StackValue;
  }

  drop(count: number): this {
    this.depth -= count;
    return this;
  }

  popInt(): Integer {
    const value = this.pop();
    if (typeof value !== "number" && typeof value !== "bigint") fail(Exception.typeCheck);
    return value;
  }

  popFinite(): Integer {
    const value = this.popInt();
    if (Number.isNaN(value)) fail(Exception.integerOverflow);
    return value;
  }

  popBool(): boolean {
    return this.popFinite() !== 0;
  }

  /** A whole number between bounds that are safe integers. */
  popSmall(largest: number, lowest = 0): number {
    const value = this.popInt();
    if (typeof value !== "number" || !(value <= largest && value >= lowest)) fail(Exception.rangeCheck);
    return value;
  }

  /** A number from 0 to 2^63 - 1. */
  popInt63(): bigint {
    const value = this.popInt();
    if (!(value >= 0 && value < 1n << 63n)) fail(Exception.rangeCheck);
    return BigInt(value);
  }

  popCell(): Cell {
    const value = this.pop();
    return value instanceof Cell ? value : fail(Exception.typeCheck);
  }

  popMaybeCell(): Cell | undefined {
    return maybeCell(this.pop());
  }

  popSlice(): CellSlice {
    const value = this.pop();
    return value instanceof CellSlice ? value : fail(Exception.typeCheck);
  }

  popBuilder(): CellBuilder {
    const value = this.pop();
    return value instanceof CellBuilder ? value : fail(Exception.typeCheck);
  }

  popContinuation(): Continuation {
    const value = this.pop();
    return value instanceof Continuation ? value : fail(Exception.typeCheck);
  }

  popTuple(longest: number, shortest = 0): Tuple {
    return tupleOf(this.pop(), longest, shortest);
  }

  popMaybeTuple(longest: number): Tuple | undefined {
    const value = this.pop();
    return value === null ? undefined : tupleOf(value, longest, 0);
  }

  /** Takes the top values off, in their order. */
  split(count: number): StackValue[] {
    const values = this.items.slice(this.depth - count, this.depth);
    this.depth -= count;
    return values;
  }

  takeAll(): StackValue[] {
    return this.split(this.depth);
  }

  dropBottom(count: number): void {
    if (count === 0) return;
    this.items.copyWithin(0, count, this.depth);
    this.depth -= count;
  }

  pushAll(values: readonly StackValue[]): this {
    for (const value of values) this.items[this.depth++] = value;
    return this;
  }

  replace(values: readonly StackValue[]): this {
    this.depth = 0;
    return this.pushAll(values);
  }

  values(): StackValue[] {
    return this.items.slice(0, this.depth);
  }
}

/** A value that is a cell, or null for none. */
export function maybeCell(value: StackValue): Cell | undefined {
  if (value === null) return undefined;
  return value instanceof Cell ? value : fail(Exception.typeCheck);
}

/** A value as a tuple of a length between bounds. */
export function tupleOf(value: StackValue | undefined, longest = 255, shortest = 0): Tuple {
  if (!isTuple(value) || value.length > longest || value.length < shortest) fail(Exception.typeCheck);
  return value;
}

export function isTuple(value: StackValue | undefined): value is Tuple {
  return Array.isArray(value);
}

/** An item of a tuple; an index outside is a range error. */
export function tupleItem(tuple: Tuple, index: number): StackValue {
  if (index >= tuple.length) fail(Exception.rangeCheck);
  return tuple[index] as StackValue;
}

/** A number for each type of values, as their serialized form has it. */
export function typeNumber(value: StackValue): number {
  if (value === null) return 0;
  if (typeof value === "number" || typeof value === "bigint") return 1;
  if (value instanceof Cell) return 3;
  if (value instanceof CellSlice) return 4;
  if (value instanceof CellBuilder) return 5;
  return isTuple(value) ? 7 : 6;
}
