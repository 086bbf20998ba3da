import type { Cell } from "../../cell/Cell.ts";
import type { Dictionary } from "../../cell/dictionary.ts";
import type { VmCellSlice } from "./VmCellSlice.ts";

/** One value on the stack of the machine. */
export type VmValue =
  | { readonly kind: "null" }
  | { readonly kind: "int"; readonly value: bigint }
  | { readonly kind: "nan" }
  | { readonly kind: "cell"; readonly cell: Cell }
  | { readonly kind: "slice"; readonly slice: VmCellSlice }
  | { readonly kind: "builder"; readonly cell: Cell }
  | { readonly kind: "cont"; readonly cont: VmContValue }
  | { readonly kind: "tuple"; readonly items: readonly VmValue[] };

/** Bottom first: the last value is the top of the stack. */
export type VmValues = readonly VmValue[];

/** Registers saved in a continuation, by number; read on demand. */
export type VmSaveList = Dictionary<number, VmValue>;

/** The control data of a continuation. */
export interface VmControlData {
  /** The number of arguments; absent means all. */
  readonly nargs: number | undefined;
  readonly stack: VmValues | undefined;
  readonly save: VmSaveList;
  readonly codepage: number | undefined;
}

export type VmContValue =
  | { readonly kind: "std"; readonly data: VmControlData; readonly code: VmCellSlice }
  | { readonly kind: "envelope"; readonly data: VmControlData; readonly next: VmContValue }
  | { readonly kind: "quit"; readonly exitCode: number }
  | { readonly kind: "quitExc" }
  | { readonly kind: "repeat"; readonly count: bigint; readonly body: VmContValue; readonly after: VmContValue }
  | { readonly kind: "until"; readonly body: VmContValue; readonly after: VmContValue }
  | { readonly kind: "again"; readonly body: VmContValue }
  | { readonly kind: "whileCond"; readonly cond: VmContValue; readonly body: VmContValue; readonly after: VmContValue }
  | { readonly kind: "whileBody"; readonly cond: VmContValue; readonly body: VmContValue; readonly after: VmContValue }
  | { readonly kind: "pushInt"; readonly value: number; readonly next: VmContValue };
