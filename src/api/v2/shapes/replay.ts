import { Type } from "typebox";
import type { Cell } from "../../../cell/Cell.ts";
import type { ReplayedStep, SteppedReplay } from "../../../chain/replay/replaySteps.ts";
import { bool, field, int, list, nullable, shape, text } from "../../../lib/kit/shape.ts";
import { CellBag } from "./CellBag.ts";
import { base64 } from "./ids.ts";
import { hash64 } from "./scalars.ts";
import { encodeStack, stackValueSchema } from "./stepStack.ts";
import { typed } from "./typed.ts";

interface ShownStep extends ReplayedStep {
  readonly bag: CellBag;
}

const whole = (description: string) => field({ ...int, schema: Type.Integer({ description }) });

const step = typed<ShownStep>()("replay.step", {
  index: whole("Its number, from zero.")(({ index }) => index),
  operation: field({ ...text, schema: Type.String({ description: "The instruction that runs, with its operands." }) })(
    ({ operation }) => operation,
  ),
  gas: whole("What it costs.")(({ gas }) => gas),
  gas_used: whole("What was used before it.")(({ gasUsed }) => gasUsed),
  gas_remaining: whole("What was left before it.")(({ gasRemaining }) => gasRemaining),
  code_hash: hash64(({ cell }) => cell.hash()),
  code_bit: whole("Where in the cell of code the instruction begins.")(({ bit }) => bit),
  stack_depth: whole("How many values the stack has; `stack` shows those on top.")(({ stack }) => stack.length),
  stack: field({
    schema: Type.Array(stackValueSchema, { description: "The stack before the step, its top last." }),
    encode: ({ stack, bag }: ShownStep) => encodeStack(stack, bag),
  })((each) => each),
});

const shownCell = shape<readonly [Cell, Uint8Array]>()({
  hash: hash64(([cell]) => cell.hash()),
  boc: base64(([, bytes]) => bytes),
});

const familyGas = shape<readonly [family: string, gas: number]>()({
  family: text(([family]) => family),
  gas: int(([, gas]) => gas),
});

const fields = typed<{
  readonly stepped: SteppedReplay;
  readonly steps: readonly ShownStep[];
  readonly bag: CellBag;
}>()("replay.transaction", {
  is_equal: field({
    ...bool,
    schema: Type.Boolean({ description: "Whether the run made the transaction of the chain, by its hash." }),
  })(({ stepped }) => stepped.replay.isEqual),
  hash: nullable(hash64)(({ stepped: { replay } }) =>
    replay.outcome.kind === "done" ? replay.outcome.transaction.cell.hash() : undefined,
  ),
  reason: nullable(field({ ...text, schema: Type.String({ description: "Why there is no transaction." }) }))(
    ({ stepped: { replay } }) => (replay.outcome.kind === "done" ? undefined : replay.outcome.reason),
  ),
  exit_code: nullable(whole("Exit code of the code; null when none ran."))(({ stepped: { replay } }) =>
    replay.outcome.kind === "failed" ? undefined : replay.outcome.exitCode,
  ),
  gas_used: whole("Gas of all steps.")(({ stepped }) => stepped.gasByFamily.reduce((sum, [, gas]) => sum + gas, 0)),
  gas_by_family: list(familyGas)(({ stepped }) => stepped.gasByFamily),
  total_steps: whole("How many steps the run has.")(({ stepped }) => stepped.totalSteps),
  failed_step: nullable(whole("The step that ended the code with an error; null when none did."))(
    ({ stepped }) => stepped.failedStep,
  ),
  steps: list(step)(({ steps }) => steps),
  cells: field({
    schema: Type.Array(shownCell.schema, {
      description: "Cells that the stacks name by hash; large ones are left out.",
    }),
    encode: (bag: CellBag) => bag.list().map((each) => shownCell.encode(each)),
  })(({ bag }) => bag),
});

/** A transaction that was run again, with its steps and the cells on their stacks. */
export const replayedTransaction = field({
  schema: fields.schema,
  encode: (stepped: SteppedReplay) => {
    const bag = new CellBag();
    return fields.encode({ stepped, bag, steps: stepped.steps.map((each) => ({ ...each, bag })) });
  },
});
