import { Type } from "typebox";
import { crcForm } from "../../../cell/boc.ts";
import type { Cell } from "../../../cell/Cell.ts";
import type { AccountNow } from "../../../chain/accounts.ts";
import type { MethodOutcome } from "../../../chain/run/getMethod.ts";
import { deferJson } from "../../../lib/kit/deferredJson.ts";
import { field, int, objectSchema } from "../../../lib/kit/shape.ts";
import type { Steps } from "../../../lib/sharing/steps.ts";
import { sliceCell } from "../../../model/vm/VmCellSlice.ts";
import type { VmStack, VmStackValue } from "../../../model/vm/VmStack.ts";
import { blockIdExt, transactionId } from "./ids.ts";
import type { StackWriter } from "./StackWriter.ts";
import { typed } from "./typed.ts";
import { writeStack } from "./writeStack.ts";

/** The nesting limits of an answer: the two forms have different ones. */
const typedLimit = 256;
const legacyLimit = 100;

/** Writes an entry as an object; `depth` is its nesting depth. */
function* writeEntry(value: VmStackValue, depth: number, out: StackWriter): Steps<void> {
  out.enter(depth);
  const writeAll = (items: readonly VmStackValue[]) => out.addAll(items, (item) => writeEntry(item, depth + 1, out));
  const list = out.findList(value);
  if (list !== undefined) {
    out.add('{"@type":"tvm.stackEntryList","list":{"@type":"tvm.list","elements":');
    yield* writeAll(list);
    out.add("}}");
    return;
  }
  switch (value.kind) {
    case "int":
      return out.add(numberEntry(value.value.toString()));
    case "nan":
      return out.add(numberEntry("NaN"));
    case "cell":
      out.add('{"@type":"tvm.stackEntryCell","cell":{"@type":"tvm.cell","bytes":');
      yield* out.addBag(value.cell);
      return out.add("}}");
    case "slice":
      out.add('{"@type":"tvm.stackEntrySlice","slice":{"@type":"tvm.slice","bytes":');
      yield* out.addSlice(value.slice);
      return out.add("}}");
    case "tuple":
      out.add('{"@type":"tvm.stackEntryTuple","tuple":{"@type":"tvm.tuple","elements":');
      yield* writeAll(value.items);
      return out.add("}}");
    default:
      return out.add('{"@type":"tvm.stackEntryUnsupported"}');
  }
}

function numberEntry(number: string): string {
  return `{"@type":"tvm.stackEntryNumber","number":{"@type":"tvm.numberDecimal","number":"${number}"}}`;
}

function* writeCellPair(cell: Cell, out: StackWriter): Steps<void> {
  out.add('["cell",{"bytes":');
  yield* out.addBag(cell);
  if (out.hasTree(cell)) {
    out.add(',"object":');
    yield* out.addTree(cell);
  }
  out.add("}]");
}

/** Writes an entry as a pair of a type and a value. */
function* writePair(value: VmStackValue, out: StackWriter): Steps<void> {
  out.enter(0);
  const writeAll = (items: readonly VmStackValue[]) => out.addAll(items, (item) => writeEntry(item, 1, out));
  const list = out.findList(value);
  if (list !== undefined) {
    out.add('["list",{"@type":"tvm.list","elements":');
    yield* writeAll(list);
    return out.add("}]");
  }
  switch (value.kind) {
    case "int":
      return out.add(`["num","${hexOf(value.value)}"]`);
    case "nan":
      return out.add('["num","NaN"]');
    case "cell":
      return yield* writeCellPair(value.cell, out);
    case "slice":
      return yield* writeCellPair(sliceCell(value.slice), out);
    case "tuple":
      out.add('["tuple",{"@type":"tvm.tuple","elements":');
      yield* writeAll(value.items);
      return out.add("}]");
    default:
      return out.add('["unsupported",""]');
  }
}

/** A number of the machine in hexadecimal. */
export function hexOf(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}

const entryList = field({
  schema: Type.Array(
    objectSchema({ "@type": ["TL type of the entry; it determines the other fields.", Type.String()] }),
  ),
  encode: (stack: VmStack) =>
    deferJson<readonly object[]>((sink) =>
      writeStack(sink, { maxDepth: typedLimit, form: crcForm }, (out) =>
        out.addAll(stack, (value) => writeEntry(value, 1, out)),
      ),
    ),
});

const pairList = field({
  schema: Type.Array(Type.Array(Type.Unknown(), { minItems: 2, maxItems: 2, examples: [["num", "0x1a"]] })),
  encode: (stack: VmStack) =>
    deferJson<readonly (readonly unknown[])[]>((sink) =>
      writeStack(sink, { maxDepth: legacyLimit, form: crcForm }, (out) =>
        out.addAll(stack, (value) => writePair(value, out)),
      ),
    ),
});

/** The result of a run with its stack as typed entries. */
export const typedRunResult = typed<MethodOutcome>()("smc.runResult", {
  gas_used: int("Gas that the run used.", (outcome) => Number(outcome.gasUsed)),
  stack: entryList(
    "Values that the method returned, the first one first, as typed entries.",
    (outcome) => outcome.stack,
  ),
  exit_code: int("Exit code of the virtual machine; 0 and 1 mean success.", (outcome) => outcome.exitCode),
});

export interface RunOnAccount {
  readonly account: AccountNow;
  readonly outcome: MethodOutcome;
}

const legacyFields = typed<RunOnAccount>()("smc.runResult", {
  gas_used: int("Gas that the run used.", ({ outcome }) => Number(outcome.gasUsed)),
  stack: pairList(
    "Values that the method returned, the first one first, as pairs of type and value.",
    ({ outcome }) => outcome.stack,
  ),
  exit_code: int("Exit code of the virtual machine; 0 and 1 mean success.", ({ outcome }) => outcome.exitCode),
  block_id: blockIdExt("Masterchain block at which the account was read.", ({ account }) => account.block),
  last_transaction_id: transactionId(
    "Last transaction of the account, by logical time and hash.",
    ({ account }) => account.lastTransaction,
  ),
});

/** The result of a run with its stack as pairs; the same type by name, so it gets another in the documentation. */
export const legacyRunResult = field({
  schema: { ...legacyFields.schema, $id: "smc.runResult.legacy" },
  encode: legacyFields.encode,
});
