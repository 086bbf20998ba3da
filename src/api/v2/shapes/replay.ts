import { Type } from "typebox";
import type { Cell } from "../../../cell/Cell.ts";
import type { MethodGas } from "../../../chain/replay/GasByMethod.ts";
import type { ReplayedStep, SteppedReplay } from "../../../chain/replay/replaySteps.ts";
import type { LineGas, StackGas } from "../../../chain/replay/SourceTrace.ts";
import type { SourceEntry } from "../../../contracts/abi/source/SourceMap.ts";
import { bool, field, int, list, nullable, shape, text } from "../../../lib/kit/shape.ts";
import { CellBag } from "./CellBag.ts";
import { base64 } from "./ids.ts";
import { hash64 } from "./scalars.ts";
import { encodeStack, stackValueSchema } from "./stepStack.ts";
import { typed } from "./typed.ts";

interface ShownStep extends ReplayedStep {
  readonly bag: CellBag;
}

const variable = shape<readonly [name: string, depth: number]>()({
  name: text("Name of the variable, as the compiler writes it.", ([name]) => name),
  depth: int("Its place on the stack before the step, from the top, which is zero.", ([, depth]) => depth),
});

/** Names of values on the stack, the top last, to variables. */
function listVariables({ names = [] }: SourceEntry): readonly (readonly [name: string, depth: number])[] {
  return names.flatMap((name, at) => (name === undefined ? [] : [[name, names.length - 1 - at] as const]));
}

const sourceLine = shape<SourceEntry>()({
  file: text("Name of the file.", ({ file }) => file),
  line: int("Number of the line, from one.", ({ line }) => line),
  function: nullable(text)("Function that the line is a part of; null if none is known.", (entry) => entry.function),
  variables: list(variable)("Variables that are on the stack.", listVariables),
});

const step = typed<ShownStep>()("replay.step", {
  index: int("Number of the step, from zero.", ({ index }) => index),
  operation: text("Instruction that runs, with its operands.", ({ operation }) => operation),
  gas: int("Gas that the step costs.", ({ gas }) => gas),
  gas_used: int("Gas that was used before the step.", ({ gasUsed }) => gasUsed),
  gas_remaining: int("Gas that was left before the step.", ({ gasRemaining }) => gasRemaining),
  code_hash: hash64("Hash of the code cell with the instruction, in base64.", ({ cell }) => cell.hash()),
  code_bit: int("Bit of the code cell at which the instruction begins.", ({ bit }) => bit),
  source: nullable(sourceLine)(
    "Line of the source that the instruction comes from; null without `source`, and for code that is not of the source.",
    ({ source }) => source,
  ),
  stack_depth: int("Number of values on the stack; `stack` shows those on top.", ({ stack }) => stack.length),
  stack: field({
    schema: Type.Array(stackValueSchema),
    encode: ({ stack, bag }: ShownStep) => encodeStack(stack, bag),
  })("Stack before the step, its top last.", (each) => each),
});

const shownCell = shape<readonly [Cell, Uint8Array]>()({
  hash: hash64("Hash of the cell, in base64.", ([cell]) => cell.hash()),
  boc: base64("Cell as a bag of cells in base64.", ([, bytes]) => bytes),
});

const familyGas = shape<readonly [family: string, gas: number]>()({
  family: text("Kind of instructions, such as arithmetic or cells.", ([family]) => family),
  gas: int("Gas that these instructions used.", ([, gas]) => gas),
});

const methodGas = shape<MethodGas>()({
  method: nullable(int)(
    "Number of the method whose code has the instructions; null for the choice of the method and other code.",
    ({ method }) => method,
  ),
  gas: int("Gas that these instructions used.", ({ gas }) => gas),
});

const lineGas = shape<LineGas>()({
  file: nullable(text)("Name of the file; null for code that is not of the source.", ({ file }) => file),
  line: nullable(int)("Number of the line, from one; null for code that is not of the source.", ({ line }) => line),
  gas: int("Gas that the instructions of the line used.", ({ gas }) => gas),
  steps: int("Number of steps of the line.", ({ steps }) => steps),
});

const stackGas = shape<StackGas>()({
  frames: list(text)(
    "Functions that were called, the outermost first, then the function that the compiler inlined, if any, and the line.",
    ({ frames }) => frames,
  ),
  gas: int("Gas that was used there.", ({ gas }) => gas),
});

const fields = typed<{
  readonly stepped: SteppedReplay;
  readonly steps: readonly ShownStep[];
  readonly bag: CellBag;
}>()("replay.transaction", {
  is_equal: bool(
    "Whether the run made the transaction of the chain, by its hash.",
    ({ stepped }) => stepped.replay.isEqual,
  ),
  hash: nullable(hash64)(
    "Hash of the transaction that the run made, in base64; null if it made none.",
    ({ stepped: { replay } }) => (replay.outcome.kind === "done" ? replay.outcome.transaction.cell.hash() : undefined),
  ),
  reason: nullable(text)("Why the run made no transaction; null if it made one.", ({ stepped: { replay } }) =>
    replay.outcome.kind === "done" ? undefined : replay.outcome.reason,
  ),
  exit_code: nullable(int)("Exit code of the run; null if no code ran.", ({ stepped: { replay } }) =>
    replay.outcome.kind === "failed" ? undefined : replay.outcome.exitCode,
  ),
  gas_used: int("Gas of all steps.", ({ stepped }) => stepped.gasByFamily.reduce((sum, [, gas]) => sum + gas, 0)),
  gas_by_family: list(familyGas)("Gas that each kind of instructions used.", ({ stepped }) => stepped.gasByFamily),
  gas_by_method: list(methodGas)("Gas that the code of each method used.", ({ stepped }) => stepped.gasByMethod),
  gas_by_line: list(lineGas)(
    "Gas that each line of the source used; empty without `source`, and if the source is not known.",
    ({ stepped }) => stepped.gasByLine,
  ),
  gas_by_stack: list(stackGas)(
    "Gas by calls, as a flame graph shows it: at most 500, the most expensive first, and the rest as one.",
    ({ stepped }) => stepped.gasByStack,
  ),
  total_steps: int("Number of steps of the run.", ({ stepped }) => stepped.totalSteps),
  failed_step: nullable(int)(
    "Number of the step that ended the run with an error; null if none did.",
    ({ stepped }) => stepped.failedStep,
  ),
  steps: list(step)("Requested steps of the run.", ({ steps }) => steps),
  cells: field({
    schema: Type.Array(shownCell.schema),
    encode: (bag: CellBag) => bag.list().map((each) => shownCell.encode(each)),
  })("Cells that the stacks name by hash; large ones are left out.", ({ bag }) => bag),
});

/** A transaction that was run again, with its steps and the cells on their stacks. */
export const replayedTransaction = field({
  schema: fields.schema,
  encode: (stepped: SteppedReplay) => {
    const bag = new CellBag();
    return fields.encode({ stepped, bag, steps: stepped.steps.map((each) => ({ ...each, bag })) });
  },
});
