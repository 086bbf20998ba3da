import { emptyCell } from "../../cell/Builder.ts";
import type { ContractState, MethodCaller } from "../../contracts/kit/entity.ts";
import { findToken, type Token } from "../../contracts/token.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Address } from "../../model/Address.ts";
import { type AccountNow, findCode, findData, getAccount, getAccountAt } from "../accounts.ts";
import type { Chain } from "../Chain.ts";
import { ChainError } from "../errors.ts";
import { isSuccess, runMethod } from "../run/getMethod.ts";

/** Detects the token of a contract, at the block with this seqno or the newest. */
export async function getTokenData(chain: Chain, address: Address, seqno?: number): Promise<Token> {
  const account = await getAccount(chain, address, seqno);
  const state = findContractState(account);
  const token = state && (await findToken(state, callerAt(chain, account)));
  if (token !== undefined) return token;
  throw new ChainError("chain/not-token", `${address} is neither jetton nor NFT`);
}

/** An account as contracts are detected in it; undefined without code. */
export function findContractState(account: AccountNow): ContractState | undefined {
  const code = findCode(account);
  // The list of methods is not looked up: a missing method fails when it is run.
  const common = { address: account.address, data: findData(account) ?? emptyCell, methods: undefined };
  return code && { ...common, code, codeHash: code.hash() };
}

/** Runs get-methods of the account and of others at its block; each account is loaded once. */
export function callerAt(chain: Chain, account: AccountNow): MethodCaller {
  const accounts = new Map([[account.address, Promise.resolve<AccountNow | undefined>(account)]]);
  const accountOf = (address: Address): Promise<AccountNow | undefined> => {
    const known = accounts.get(address) ?? findAccountAt(chain, address, account);
    accounts.set(address, known);
    return known;
  };
  return {
    ask: async (address, method, stack) => {
      const accountNow = await accountOf(address);
      const outcome = accountNow && (await runMethod(chain, accountNow, { method, stack }));
      return outcome && isSuccess(outcome) ? { kind: "ok", stack: outcome.stack } : { kind: "failed" };
    },
  };
}

/** A contract may name any address: one in a workchain that does not exist gives no answer. */
async function findAccountAt(chain: Chain, address: Address, { block }: AccountNow): Promise<AccountNow | undefined> {
  try {
    return await getAccountAt(chain, address, block);
  } catch (error) {
    if (isCoded(error, "chain/no-workchain")) return undefined;
    throw error;
  }
}
