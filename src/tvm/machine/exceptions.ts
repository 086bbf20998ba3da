import type { Hash } from "../../cell/Hash.ts";
import type { HeavyCall } from "../crypto/heavyFunctions.ts";

/** Numbers of the exceptions that the machine itself throws. */
export const Exception = {
  stackUnderflow: 2,
  stackOverflow: 3,
  integerOverflow: 4,
  rangeCheck: 5,
  invalidOpcode: 6,
  typeCheck: 7,
  cellOverflow: 8,
  cellUnderflow: 9,
  dictionary: 10,
  unknown: 11,
} as const;

/** An exception of the running code. It is part of normal operation, so it carries no call stack, which is slow to make. */
export class VmException {
  readonly code: number;

  constructor(code: number) {
    this.code = code;
  }
}

/** Gas is exhausted; code cannot catch it. */
export class OutOfGas {
  readonly kind = "outOfGas";
}

/** A library is needed that is not loaded yet; the instruction is tried again later. */
export class LibraryNeeded {
  readonly hash: Hash;

  constructor(hash: Hash) {
    this.hash = hash;
  }
}

/** The next instruction needs a function that takes milliseconds and may not run here; it is tried again with the result. */
export class HeavyNeeded {
  readonly call: HeavyCall;

  constructor(call: HeavyCall) {
    this.call = call;
  }
}

const exceptions = Array.from({ length: 12 }, (_, code) => new VmException(code));
const outOfGas = new OutOfGas();

export function fail(code: number): never {
  throw exceptions[code];
}

export function failOutOfGas(): never {
  throw outOfGas;
}
