import { emptyCell } from "../../cell/Builder.ts";
import { CellKind } from "../../cell/base/CellKind.ts";
import { CellError } from "../../cell/base/errors.ts";
import type { Cell } from "../../cell/Cell.ts";
import { libraryHash } from "../../cell/exotic.ts";
import type { Hash } from "../../cell/Hash.ts";
import type { HeavyFunctions, HeavyName } from "../crypto/heavyFunctions.ts";
import type { CellBuilder } from "./CellBuilder.ts";
import { CellSlice, cellSlice } from "./CellSlice.ts";
import { Exception, fail, failOutOfGas, Pause } from "./exceptions.ts";
import { LoadedCells } from "./LoadedCells.ts";
import type { GasLimits, MachineInput } from "./MachineRun.ts";
import { Stack } from "./Stack.ts";
import { Continuation, type ControlData, type StackValue, type Tuple } from "./StackValue.ts";

export interface Operation {
  readonly gas: number;
  readonly need: number;
  /** Bits and references it takes of the code. */
  readonly bits: number;
  readonly refs: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly data: unknown;
  run(vm: Vm, a: number, b: number, c: number, data: unknown): void;
}

export interface Code {
  readonly cell: Cell;
  operation(at: number, end: number, ref: number, refEnd: number): Operation;
  show(operation: Operation): string;
}

export interface Codes {
  codeOf(cell: Cell): Code;
}

type HostOptions = {
  readonly [K in "findLibrary" | "maxLibraryLoads" | "signatures" | "heavy" | "onStep"]: MachineInput[K] | undefined;
};

/** What all machines of one run share, a machine started by RUNVM included. */
export interface Host extends HostOptions {
  readonly version: number;
  readonly codes: Codes;
  readonly maxDataDepth: number;
  readonly libraries: Set<Hash>;
  missingLibrary: Hash | undefined;
  /** What a function gave elsewhere that the next instruction needs. */
  computed: { readonly value: unknown } | undefined;
}

export const GasPrice = {
  ...{ cellLoad: 100, cellReload: 25, cellCreate: 500 },
  ...{ exception: 50, implicitJump: 10, implicitReturn: 5 },
};

const freeStackDepth = 32;
/** Steps of the budget that an expensive instruction counts for. */
const heavySteps = 20_000;
export const quit0 = new Continuation({ kind: "quit", exitCode: 0 }, undefined);
export const quit1 = new Continuation({ kind: "quit", exitCode: 1 }, undefined);
const quit11 = new Continuation({ kind: "quit", exitCode: 11 }, undefined);
const quitException = new Continuation({ kind: "quitExc" }, undefined);

export interface VmStart {
  readonly code: CellSlice;
  readonly stack: readonly StackValue[];
  readonly gas: GasLimits;
  readonly data: Cell | undefined;
  readonly c7: Tuple | undefined;
  readonly ownC3: boolean;
}

/** Where the results of a machine go that another one started. */
export interface ParentLink {
  readonly vm: Vm;
  finish(child: Vm): void;
}

/** The state of one machine: registers, stack, code, gas. Instructions change it; `execute.ts` runs them. */
export class Vm {
  readonly host: Host;
  readonly version: number;
  readonly stack: Stack;

  code: Code;
  at = 0;
  end = 0;
  ref = 0;
  refEnd = 0;

  c0: Continuation = quit0;
  c1: Continuation = quit1;
  c2: Continuation = quitException;
  c3: Continuation = quit11;
  c4: Cell;
  c5: Cell = emptyCell;
  c7: Tuple;

  gas: number;
  gasBase: number;
  gasLimit: number;
  gasMax: number;
  gasCredit: number;
  /** Gas of checks that were free of charge. */
  freeGas = 0;
  signatureChecks = 0;
  extraBalanceCalls = 0;
  /** While set, loading cells costs at most this; what goes beyond is free. */
  cheapGas: number | undefined;
  loaded = new LoadedCells();

  steps = 0;
  budget = 0;
  /** False once the machine ended, has work left, or started another one. */
  running = true;
  exitCode: number | undefined;
  committed: { readonly c4: Cell; readonly c5: Cell } | undefined;
  /** The rest of an instruction that takes long: does a part of it and gives whether that was the last one. */
  work: (() => boolean) | undefined;
  child: Vm | undefined;
  readonly parent: ParentLink | undefined;

  constructor(host: Host, start: VmStart, parent?: ParentLink) {
    this.host = host;
    this.parent = parent;
    this.version = host.version;
    this.stack = new Stack(start.stack);
    this.code = host.codes.codeOf(start.code.cell);
    this.setCode(start.code);
    if (start.ownC3) this.c3 = codeContinuation(start.code);
    this.c4 = start.data ?? emptyCell;
    this.c7 = start.c7 ?? [];
    const { limit, max, credit } = start.gas;
    this.gas = limit + credit;
    this.gasBase = this.gas;
    this.gasLimit = limit;
    this.gasMax = max;
    this.gasCredit = credit;
  }

  get gasUsed(): number {
    return this.gasBase - this.gas;
  }

  consume(amount: number): void {
    this.gas -= amount;
    if (this.gas < 0) failOutOfGas();
  }

  consumeStack(depth: number): void {
    if (depth > freeStackDepth) this.consume(depth - freeStackDepth);
  }

  /** Sets a new limit, which ends the credit. */
  changeGasLimit(wanted: number): void {
    const limit = Math.min(Math.max(wanted, 0), this.gasMax);
    this.gasCredit = 0;
    this.gasLimit = limit;
    this.gas += limit - this.gasBase;
    this.gasBase = limit;
  }

  setCode(code: CellSlice): void {
    if (code.cell !== this.code.cell) this.code = this.host.codes.codeOf(code.cell);
    this.at = code.at;
    this.end = code.end;
    this.ref = code.ref;
    this.refEnd = code.refEnd;
  }

  currentCode(): CellSlice {
    return new CellSlice(this.code.cell, this.at, this.end, this.ref, this.refEnd);
  }

  finish(exitCode: number): void {
    this.exitCode = exitCode;
    this.running = false;
  }

  /**
   * Calls a function that may take milliseconds, or gives what it gave elsewhere. An instruction calls one at most, and
   * changes nothing before it but gas and what it popped.
   */
  compute<Name extends HeavyName>(
    name: Name,
    ...args: Parameters<HeavyFunctions[Name]>
  ): ReturnType<HeavyFunctions[Name]> {
    const { computed, heavy } = this.host;
    if (computed === undefined && heavy === undefined) throw new Pause({ kind: "heavy", call: { name, args } });
    this.host.computed = undefined;
    this.budget -= heavySteps;
    // The result of the function of this name, whoever called it.
    return (computed === undefined ? heavy?.({ name, args }) : computed.value) as ReturnType<HeavyFunctions[Name]>;
  }

  /** Does the first part of work at once; if more is left, no other instruction runs before it. */
  startWork(work: () => boolean): void {
    if (work()) return;
    this.work = work;
    this.running = false;
  }

  registerLoad(cell: Cell): void {
    const price = this.loaded.add(cell, this.steps) ? GasPrice.cellLoad : GasPrice.cellReload;
    if (this.cheapGas === undefined) this.consume(price);
    else this.#consumeCheap(price, this.cheapGas);
  }

  #consumeCheap(price: number, left: number): void {
    const paid = Math.min(price, left);
    this.cheapGas = left - paid;
    if (this.cheapGas === 0) this.freeGas += price - paid;
    this.consume(paid);
  }

  /** Opens a cell: a library is looked up, any other exotic cell is refused. */
  loadCell(cell: Cell): CellSlice {
    this.registerLoad(cell);
    return cell.kind === CellKind.ordinary ? cellSlice(cell) : this.#loadExotic(cell);
  }

  #loadExotic(cell: Cell): CellSlice {
    if (cell.kind !== CellKind.library) fail(Exception.cellUnderflow);
    const library = this.findLibrary(cell);
    if (library === undefined) fail(Exception.cellUnderflow);
    // Since version 5 the cell behind a library cell is not charged, and it may not be a library cell again.
    if (this.version < 5) return this.loadCell(library);
    if (library.kind !== CellKind.ordinary) fail(Exception.cellUnderflow);
    return cellSlice(library);
  }

  /** The cell of a library cell, within the limit of different libraries. */
  findLibrary(cell: Cell): Cell | undefined {
    const { host } = this;
    const hash = libraryHash(cell);
    if (host.libraries.size === host.maxLibraryLoads && !host.libraries.has(hash)) return undefined;
    const library = host.findLibrary?.(hash);
    if (library === "unknown") throw new Pause({ kind: "wantsLibrary", hash });
    if (host.maxLibraryLoads !== undefined) host.libraries.add(hash);
    // What a machine that RUNVM started looks for in vain is its own affair.
    if (library === undefined && this.parent === undefined) host.missingLibrary = hash;
    return library;
  }

  createCell(builder: CellBuilder): Cell {
    this.consume(GasPrice.cellCreate);
    return finishCell(builder);
  }

  /** Keeps c4 and c5 as the result of the run, unless they are too deep or hold pruned branches. */
  tryCommit(): boolean {
    const { c4, c5 } = this;
    const { maxDataDepth } = this.host;
    if (c4.depth() > maxDataDepth || c5.depth() > maxDataDepth || c4.levelMask !== 0 || c5.levelMask !== 0)
      return false;
    this.committed = { c4, c5 };
    return true;
  }
}

/** Makes a cell without charging for it. */
export function finishCell(builder: CellBuilder): Cell {
  try {
    return builder.cell();
  } catch (error) {
    if (error instanceof CellError) fail(Exception.cellOverflow);
    throw error;
  }
}

export function codeContinuation(code: CellSlice): Continuation {
  return new Continuation(code, plainData);
}

/** Control data that sets at most what is given; a spread of other data would take longer than a call. */
export function controlData(
  { c0, c1, c2 }: Partial<Pick<ControlData, "c0" | "c1" | "c2">>,
  stack?: ControlData["stack"],
  nargs = -1,
  codepage = 0,
): ControlData {
  return { c0, c1, c2, c3: undefined, c4: undefined, c5: undefined, c7: undefined, stack, nargs, codepage };
}

/** Control data that sets nothing but codepage 0. */
const plainData = controlData({});
