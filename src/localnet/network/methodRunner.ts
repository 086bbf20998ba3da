import { loadCell, storeCell } from "../../cell/codec.ts";
import { Account } from "../../model/Account.ts";
import { zeroHash } from "../../model/Hash.ts";
import { VmStack } from "../../model/vm/VmStack.ts";
import type { Executor } from "../../tvm/Executor.ts";
import type { LocalMethodCall, LocalMethodResult, RunMethod } from "../answers/kit/AnswerContext.ts";
import { LocalnetError } from "../errors.ts";
import type { Ledger } from "../ledger/Ledger.ts";
import { Environments } from "../rounds/Environments.ts";

/** Those who ask over the lite-server protocol share the executor with other callers as one. */
const liteClients = "lite clients";

/** Runs get-methods for a lite server over this ledger. */
export function methodRunner(executor: Executor, ledger: Ledger, environments = new Environments(ledger)): RunMethod {
  return async (call: LocalMethodCall, signal: AbortSignal): Promise<LocalMethodResult> => {
    const account = loadCell(Account, call.account);
    if (account.kind !== "account" || account.storage.state.kind !== "active")
      throw new LocalnetError("localnet/missing", `${call.address} has no code`);
    const { code, data } = account.storage.state.init;
    if (code === undefined || data === undefined)
      throw new LocalnetError("localnet/missing", `${call.address} has no code or no data`);
    const outcome = await executor.runGetMethod(
      {
        ...environments.at(call.master),
        now: call.genUtime,
        randomSeed: zeroHash,
        address: call.address,
        code,
        data,
        balance: account.storage.balance,
        method: Number(call.methodId),
        stack: call.stack === undefined ? [] : loadCell(VmStack, call.stack),
        gasLimit: BigInt(call.gasLimit),
        caller: liteClients,
      },
      signal,
    );
    return { exitCode: outcome.exitCode, stack: storeCell(VmStack, outcome.stack) };
  };
}
