import type { Cell } from "../../cell/Cell.ts";
import type { CellBuilder } from "./CellBuilder.ts";
import type { CellSlice } from "./CellSlice.ts";

/** An integer: `number` while it is a safe one, `bigint` beyond that, `NaN` for the NaN of the machine. */
export type Integer = number | bigint;
export type Tuple = readonly StackValue[];

/** A value on the stack. Values are never changed in place. */
export type StackValue = Integer | null | Cell | CellSlice | CellBuilder | Tuple | Continuation;

/** What a continuation sets up before it runs: a register that is `undefined` stays as it is. */
export interface ControlData {
  readonly c0: Continuation | undefined;
  readonly c1: Continuation | undefined;
  readonly c2: Continuation | undefined;
  readonly c3: Continuation | undefined;
  readonly c4: Cell | undefined;
  readonly c5: Cell | undefined;
  readonly c7: Tuple | undefined;
  /** Values it brings along. `undefined` and an empty stack are different in the serialized form only. */
  readonly stack: readonly StackValue[] | undefined;
  /** How many values it takes; -1 means all. */
  readonly nargs: number;
  /** -1 when none is given. */
  readonly codepage: number;
}

/** Continuations without code of their own. */
export type SpecialStep =
  | { readonly kind: "envelope"; readonly next: Continuation }
  | { readonly kind: "quit"; readonly exitCode: number }
  | { readonly kind: "quitExc" }
  | { readonly kind: "repeat"; readonly count: Integer; readonly body: Continuation; readonly after: Continuation }
  | { readonly kind: "until"; readonly body: Continuation; readonly after: Continuation }
  | { readonly kind: "again"; readonly body: Continuation }
  | {
      readonly kind: "whileCond" | "whileBody";
      readonly cond: Continuation;
      readonly body: Continuation;
      readonly after: Continuation;
    }
  | { readonly kind: "pushInt"; readonly value: number; readonly next: Continuation };

/** A continuation as an immutable value: code or a special step, with control data for code and envelopes. */
export class Continuation {
  readonly step: CellSlice | SpecialStep;
  readonly data: ControlData | undefined;

  constructor(step: CellSlice | SpecialStep, data: ControlData | undefined) {
    this.step = step;
    this.data = data;
  }
}
