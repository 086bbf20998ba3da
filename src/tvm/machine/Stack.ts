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

  /** Throws unless there are so many values. */
  need(count: number): void {
    if (this.depth < count) fail(Exception.stackUnderflow);
  }

  /** The value at a distance from the top; the caller has checked that it is there. */
  at(index: number): StackValue {
    return this.items[this.depth - 1 - index] as StackValue;
  }

  set(index: number, value: StackValue): void {
    this.items[this.depth - 1 - index] = value;
  }

  swap(i: number, j: number): void {
    const { items } = this;
    const a = this.depth - 1 - i;
    const b = this.depth - 1 - j;
    const value = items[a] as StackValue;
    items[a] = items[b] as StackValue;
    items[b] = value;
  }

  push(value: StackValue): void {
    this.items[this.depth++] = value;
  }

  pushBool(value: boolean): void {
    this.items[this.depth++] = value ? -1 : 0;
  }

  /** A number of any size: beyond 257 bits it is an overflow. */
  pushInt(value: Integer): void {
    if (typeof value === "number" ? Number.isNaN(value) : value >= limit || value < smallest)
      fail(Exception.integerOverflow);
    this.items[this.depth++] = value;
  }

  pushIntQuiet(value: Integer): void {
    this.items[this.depth++] = typeof value === "bigint" && (value >= limit || value < smallest) ? Number.NaN : value;
  }

  /** A whole number that need not be in its one form. */
  pushBig(value: bigint, quiet: boolean): void {
    if (value > safe || value < -safe) {
      if (quiet) this.pushIntQuiet(value);
      else this.pushInt(value);
    } else {
      this.items[this.depth++] = Number(value);
    }
  }

  pushMaybe(value: Cell | CellSlice | Tuple | undefined): void {
    this.items[this.depth++] = value ?? null;
  }

  pop(): StackValue {
    if (this.depth === 0) fail(Exception.stackUnderflow);
    return this.items[--this.depth] as StackValue;
  }

  drop(count: number): void {
    this.depth -= count;
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
    if (!(value instanceof Cell)) fail(Exception.typeCheck);
    return value;
  }

  popMaybeCell(): Cell | undefined {
    const value = this.pop();
    if (value === null) return undefined;
    if (!(value instanceof Cell)) fail(Exception.typeCheck);
    return value;
  }

  popSlice(): CellSlice {
    const value = this.pop();
    if (!(value instanceof CellSlice)) fail(Exception.typeCheck);
    return value;
  }

  popBuilder(): CellBuilder {
    const value = this.pop();
    if (!(value instanceof CellBuilder)) fail(Exception.typeCheck);
    return value;
  }

  popContinuation(): Continuation {
    const value = this.pop();
    if (!(value instanceof Continuation)) fail(Exception.typeCheck);
    return value;
  }

  /** A tuple whose length lies between bounds. */
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

  /** Takes all values off. */
  takeAll(): StackValue[] {
    return this.split(this.depth);
  }

  /** Removes values from the bottom. */
  dropBottom(count: number): void {
    if (count === 0) return;
    this.items.copyWithin(0, count, this.depth);
    this.depth -= count;
  }

  pushAll(values: readonly StackValue[]): void {
    for (const value of values) this.items[this.depth++] = value;
  }

  replace(values: readonly StackValue[]): void {
    this.depth = 0;
    this.pushAll(values);
  }

  values(): StackValue[] {
    return this.items.slice(0, this.depth);
  }
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
