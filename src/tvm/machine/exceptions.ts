import type { MachineProgress } from "./MachineRun.ts";

export const Exception = {
  ...{ stackUnderflow: 2, stackOverflow: 3, integerOverflow: 4, rangeCheck: 5, invalidOpcode: 6, typeCheck: 7 },
  ...{ cellOverflow: 8, cellUnderflow: 9, dictionary: 10, unknown: 11 },
} as const;

/**
 * An exception of the running code. It is part of normal operation, so it carries no call stack, which is slow to make.
 */
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

/** What keeps an instruction from running now; it is tried again when the machine continues. */
export class Pause {
  readonly progress: Extract<MachineProgress, { readonly kind: "wantsLibrary" | "heavy" | "wantsRare" }>;

  constructor(progress: Pause["progress"]) {
    this.progress = progress;
  }
}

/** Ends an instruction that needs what a client loads on demand. */
export function waitForRare(): never {
  throw new Pause({ kind: "wantsRare" });
}

const exceptions = Array.from({ length: 12 }, (_, code) => new VmException(code));
const outOfGas = new OutOfGas();

export function fail(code: number): never {
  throw exceptions[code];
}

export function failOutOfGas(): never {
  throw outOfGas;
}
