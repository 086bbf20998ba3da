import { emptyCell } from "../../cell/Builder.ts";
import type { Address } from "../../model/Address.ts";
import { zeroHash } from "../../model/Hash.ts";
import { type Method, methodId } from "../../model/vm/methodId.ts";
import type { VmStack } from "../../model/vm/VmStack.ts";
import { type AccountNow, findCode, findData, getAccount } from "../accounts.ts";
import type { Chain } from "../Chain.ts";
import { ChainError } from "../errors.ts";
import { libraryFinder } from "./libraries.ts";
import { getRunSettings } from "./runSettings.ts";
import { runWithWideNumbers } from "./wideNumbers.ts";

/** The result of a get-method. */
export interface MethodOutcome {
  readonly exitCode: number;
  readonly gasUsed: bigint;
  /** Bottom first. */
  readonly stack: VmStack;
}

/** The gas limit of one get-method. */
const gasLimit = 4_000_000n;

/** The result for an account without code: nothing was run. */
const noCode = -13;

export interface MethodCall {
  readonly method: Method;
  /** Bottom first. */
  readonly stack: VmStack;
}

/** Runs a get-method on the account, with configuration and previous blocks of the newest block. */
export async function runMethod(chain: Chain, account: AccountNow, call: MethodCall): Promise<MethodOutcome> {
  const code = findCode(account);
  if (code === undefined) {
    const id = { kind: "int", value: BigInt(methodId(call.method)) } as const;
    return { exitCode: noCode, gasUsed: 0n, stack: [...call.stack, id] };
  }
  const { executor, asking } = chain;
  const { config, previousBlocks } = await getRunSettings(chain);
  return executor.runGetMethod(
    {
      ...{ config, previousBlocks, caller: chain.caller },
      now: account.syncAt,
      randomSeed: zeroHash,
      findLibrary: libraryFinder(chain),
      address: account.address,
      code,
      data: findData(account) ?? emptyCell,
      balance: account.balance,
      method: call.method,
      stack: call.stack,
      gasLimit,
    },
    asking.signal,
  );
}

/** Like `runMethod`, at the block with this seqno or the newest, with numbers of any size on the stack. */
export async function runMethodAt(
  chain: Chain,
  address: Address,
  call: MethodCall,
  seqno?: number,
): Promise<{ readonly account: AccountNow; readonly outcome: MethodOutcome }> {
  const account = await getAccount(chain, address, seqno);
  const outcome = await runWithWideNumbers(call.stack, (stack) => runMethod(chain, account, { ...call, stack }));
  return { account, outcome };
}

/** Whether the code succeeded; the machine has two exit codes for success. */
export function isSuccess({ exitCode }: MethodOutcome): boolean {
  return exitCode === 0 || exitCode === 1;
}

/** Throws when the outcome is not success. */
export function checkSuccess(outcome: MethodOutcome): void {
  const { exitCode } = outcome;
  if (!isSuccess(outcome))
    throw new ChainError("chain/exit-code", `Exit code ${exitCode} != 0`, { data: { exitCode } });
}
