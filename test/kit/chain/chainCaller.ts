import { expect } from "vitest";
import { CellKind } from "../../../src/cell/base/CellKind.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { libraryHash } from "../../../src/cell/exotic.ts";
import { findCode, findData, getAccount } from "../../../src/chain/accounts.ts";
import type { Chain } from "../../../src/chain/Chain.ts";
import { isSuccess, runMethod } from "../../../src/chain/run/getMethod.ts";
import { libraryFinder } from "../../../src/chain/run/libraries.ts";
import { findKnownAnswer } from "../../../src/contracts/findKnownAnswer.ts";
import { readContractMethods } from "../../../src/contracts/kit/contractMethods.ts";
import type { ContractState, MethodCaller } from "../../../src/contracts/kit/entity.ts";
import type { Address } from "../../../src/model/Address.ts";
import { stackHash } from "../model/stackHash.ts";

/** Runs get-methods on the current chain. Results known without a run must be equal. */
export function chainCaller(chain: Chain): MethodCaller {
  return {
    ask: async (address, method, stack) => {
      const account = await getAccount(chain, address);
      const outcome = await runMethod(chain, account, { method, stack });
      const [codeHash, data] = [findCode(account)?.hash(), findData(account)];
      const known = codeHash && data && findKnownAnswer({ address, codeHash, data }, method, stack);
      if (known !== undefined) expect(stackHash(known)).toBe(stackHash(outcome.stack));
      return isSuccess(outcome) ? { kind: "ok", stack: outcome.stack } : { kind: "failed" };
    },
  };
}

/** An account in the form that detection needs; `undefined` without code or data. */
export async function findAccountState(chain: Chain, address: Address): Promise<ContractState | undefined> {
  const account = await getAccount(chain, address);
  const [code, data] = [findCode(account), findData(account)];
  if (code === undefined || data === undefined) return undefined;
  const opened = await openedCode(chain, code);
  return { address, code, codeHash: code.hash(), data, methods: opened && readContractMethods(opened) };
}

async function openedCode(chain: Chain, code: Cell): Promise<Cell | undefined> {
  return code.kind === CellKind.library ? libraryFinder(chain)(libraryHash(code)) : code;
}
