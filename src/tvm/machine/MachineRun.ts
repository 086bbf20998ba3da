import type { Cell } from "../../cell/Cell.ts";
import type { Hash } from "../../cell/Hash.ts";
import type { verifyEd25519 } from "../crypto/ed25519.ts";
import type { HeavyCall } from "../crypto/heavyFunctions.ts";
import type { StackValue, Tuple } from "./StackValue.ts";

/** `limit` is what may be spent, `credit` comes on top until the code accepts, `max` is what the code may accept. */
export interface GasLimits {
  readonly limit: number;
  readonly max: number;
  readonly credit: number;
}

/**
 * `ignore` lets every Ed25519 and P256 check succeed; `impersonate` does, too, and marks the transaction as one of a
 * chain where nobody had the key; a function checks Ed25519 in its own way.
 */
export type SignatureRule = "check" | "ignore" | "impersonate" | typeof verifyEd25519;

export interface MachineStep {
  readonly cell: Cell;
  /** Bit offset of the instruction in its cell. */
  readonly bit: number;
  readonly operation: string;
  readonly gasRemaining: number;
  /** Gas that the run has used before it, in all machines together. */
  readonly gasUsed: number;
  readonly stack: readonly StackValue[];
}

export interface MachineInput {
  /** May be a library cell; see `libraryCode`. */
  readonly code: Cell;
  /** Bottom first. */
  readonly stack: readonly StackValue[];
  readonly data: Cell;
  readonly c7: Tuple;
  readonly gas: GasLimits;
  readonly globalVersion: number;
  /**
   * `undefined`: there is no such library. `"unknown"`: `run` gives `wantsLibrary` and asks again when called again.
   */
  readonly findLibrary?: ((hash: Hash) => Cell | undefined | "unknown") | undefined;
  /** How many different libraries one run may load; no limit when absent. */
  readonly maxLibraryLoads?: number | undefined;
  /**
   * Code that is a library cell: `open` it for free (transactions since version 9), or `load` it as a step of the run.
   */
  readonly libraryCode?: "open" | "load" | undefined;
  /** Deepest c4 and c5 that can be committed; 512 when absent. */
  readonly maxDataDepth?: number | undefined;
  readonly signatures?: SignatureRule | undefined;
  /** Calls functions that may take milliseconds; without it `run` gives `heavy` in front of them. */
  readonly heavy?: ((call: HeavyCall) => unknown) | undefined;
  readonly onStep?: ((step: MachineStep) => void) | undefined;
}

/** How a run ended; `exitCode` is -14 when the gas was exhausted. */
export interface MachineEnd {
  readonly kind: "ended";
  readonly exitCode: number;
  /** May exceed the limit by the last instruction's gas. */
  readonly gasUsed: number;
  /** The limit after what the code accepted or set. */
  readonly gasLimit: number;
  /** What is left of the credit's right to exist: 0 once the code accepted. */
  readonly gasCredit: number;
  readonly gasMax: number;
  readonly committed: { readonly c4: Cell; readonly c5: Cell } | undefined;
  readonly stack: readonly StackValue[];
  /** Number of executed steps, as `vm_steps` counts them. */
  readonly steps: number;
  readonly missingLibrary: Hash | undefined;
}

export type MachineProgress =
  | MachineEnd
  /** The budget is used up; call `run` again to continue. */
  | { readonly kind: "budget" }
  /** `findLibrary` did not know; call `run` again once it does. */
  | { readonly kind: "wantsLibrary"; readonly hash: Hash }
  /** The next instruction needs this function, which may not be called here; call `run` again with what it gives. */
  | { readonly kind: "heavy"; readonly call: HeavyCall }
  /** The next instruction needs what is not loaded yet, in a client; call `run` again once it is. */
  | { readonly kind: "wantsRare" };

/** A run of code that can pause: `openMachine` in `Machine.ts` makes one. Vm state hashes are always zero. */
export interface MachineRun {
  /** Runs about `budget` instructions; expensive ones count more. */
  run(budget: number, computed?: { readonly value: unknown }): MachineProgress;
}
