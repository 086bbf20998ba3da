import { expect } from "vitest";
import type { RecordedState } from "../../../kit/tvm/tvmRecords.ts";
import { CellKind } from "../../../src/cell/base/CellKind.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { libraryHash } from "../../../src/cell/exotic.ts";
import { findKnownAnswer } from "../../../src/contracts/findKnownAnswer.ts";
import { readContractMethods } from "../../../src/contracts/kit/contractMethods.ts";
import type { CallOutcome, ContractState, MethodCaller } from "../../../src/contracts/kit/entity.ts";
import type { Address } from "../../../src/model/Address.ts";
import type { VmValues } from "../../../src/model/vm/VmValue.ts";
import type { Executor } from "../../../src/tvm/Executor.ts";
import { stackHash } from "../model/stackHash.ts";

/** The outcome for accounts without a recording. */
export type Absent = (method: string, stack: VmValues) => CallOutcome;

/** Runs get-methods of recorded accounts. Results known without a run must be equal. */
export function recordedCaller(
  executor: Executor,
  accounts: ReadonlyMap<Address, RecordedState>,
  absent: Absent = () => ({ kind: "failed" }),
): MethodCaller {
  return {
    ask: async (address, method, stack) => {
      const state = accounts.get(address);
      if (state === undefined) return absent(method, stack);
      const outcome = await executor.runGetMethod({ ...state, method, stack });
      const known = findKnownAnswer({ address, codeHash: state.code.hash(), data: state.data }, method, stack);
      if (known !== undefined) expect(stackHash(known)).toBe(stackHash(outcome.stack));
      return outcome.exitCode === 0 || outcome.exitCode === 1
        ? { kind: "ok", stack: outcome.stack }
        : { kind: "failed" };
    },
  };
}

/** A recorded account in the form that detection needs. */
export async function accountStateOf(state: RecordedState): Promise<ContractState> {
  const { address, code, data } = state;
  return { address, code, codeHash: code.hash(), data, methods: readContractMethods(await openedCode(state)) };
}

/** Resolves code that is a library reference. */
async function openedCode({ code, findLibrary }: RecordedState): Promise<Cell> {
  if (code.kind !== CellKind.library) return code;
  return (await findLibrary?.(libraryHash(code))) ?? code;
}
