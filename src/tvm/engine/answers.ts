import { readRoot } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { fromBase64 } from "../../lib/bytes.ts";
import { ShardAccount } from "../../model/Account.ts";
import { type Hash, parseHash } from "../../model/Hash.ts";
import { loadInCell } from "../../model/Message.ts";
import type { ComputePhase } from "../../model/phases.ts";
import { Transaction, type TransactionDescription } from "../../model/Transaction.ts";
import { VmStack } from "../../model/vm/VmStack.ts";
import type { GetMethodOutcome, TransactionOutcome } from "../Executor.ts";
import { TvmError } from "../errors.ts";
import type { Answer } from "./protocol.ts";

/** The machine's answer to a get-method, with what tells whether it saw more of the configuration than it should. */
export interface GetMethodAnswer extends GetMethodOutcome {
  readonly stackBytes: Uint8Array;
  readonly sawConfigRoot: boolean;
}

export function readGetMethodAnswer({ output, marks, log }: Answer): GetMethodAnswer {
  if (output.success !== true) throw new TvmError("tvm/input", `the machine refuses its input: ${output.error}`);
  const stackBytes = fromBase64(getText(output, "stack"));
  return {
    exitCode: getNumber(output, "vm_exit_code"),
    gasUsed: BigInt(getText(output, "gas_used")),
    stack: loadCell(VmStack, readRoot(stackBytes)),
    stackBytes,
    sawConfigRoot: marks.sawConfigRoot,
    missingLibrary: findHash(output, "missing_library"),
    log,
  };
}

export function readTransactionAnswer({ output, log }: Answer): TransactionOutcome {
  if (output.success !== true) return readFailure(output, log);
  const transaction = loadInCell(Transaction, getCell(output, "transaction"));
  const compute = computePhase(transaction.description);
  return {
    kind: "done",
    transaction,
    account: loadCell(ShardAccount, getCell(output, "shard_account")),
    actions: typeof output.actions === "string" ? getCell(output, "actions") : undefined,
    exitCode: compute?.kind === "vm" ? compute.details.exitCode : undefined,
    gasUsed: compute?.kind === "vm" ? BigInt(compute.details.gasUsed) : 0n,
    log,
  };
}

function readFailure(output: Answer["output"], log: string): TransactionOutcome {
  const reason = getText(output, "error");
  if (output.external_not_accepted !== true)
    throw new TvmError("tvm/input", `the machine makes no transaction of this: ${reason}`);
  const exitCode = typeof output.vm_exit_code === "number" ? output.vm_exit_code : undefined;
  return { kind: "notAccepted", exitCode, reason, log };
}

function computePhase(description: TransactionDescription): ComputePhase | undefined {
  return "compute" in description ? description.compute : undefined;
}

function getCell(output: Answer["output"], name: string): Cell {
  return readRoot(fromBase64(getText(output, name)));
}

function getText(output: Answer["output"], name: string): string {
  const value = output[name];
  if (typeof value !== "string") throw new TvmError("tvm/answer", `the machine's answer has no text ${name}`);
  return value;
}

function getNumber(output: Answer["output"], name: string): number {
  const value = output[name];
  if (typeof value !== "number") throw new TvmError("tvm/answer", `the machine's answer has no number ${name}`);
  return value;
}

function findHash(output: Answer["output"], name: string): Hash | undefined {
  const value = output[name];
  return typeof value === "string" ? parseHash(value) : undefined;
}
