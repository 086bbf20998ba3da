import { gasFee } from "../../model/config/fees.ts";
import type { GasPrices } from "../../model/config/GasLimitsPrices.ts";
import { gasLimitFor } from "../../model/config/gasLimitOverrides.ts";
import { type Draft, type Gas, messageMoney } from "./Draft.ts";

export function gasPrices({ rules, account }: Draft): GasPrices {
  return account.isMasterchain ? rules.gas.masterchain : rules.gas.basechain;
}

function gasFor(prices: GasPrices, gasLimit: bigint, coins: bigint): bigint {
  const { flatGasLimit, flatGasPrice, gasPrice } = prices;
  if (coins >= gasFee(prices, gasLimit)) return gasLimit;
  return coins < flatGasPrice ? 0n : ((coins - flatGasPrice) << 16n) / gasPrice + flatGasLimit;
}

/** How much gas the code may use at once, how much it may accept, and how much it has to decide that. */
export function gasOf(draft: Draft): Gas {
  const { account, rules, balance, kind } = draft;
  const prices = gasPrices(draft);
  const gasLimit = gasLimitFor(account, rules.version, draft.now) ?? prices.gasLimit;
  const bought = (coins: bigint): bigint => gasFor(prices, gasLimit, coins);
  const max = account.isSpecial ? prices.specialGasLimit : bought(balance.coins);
  const isFull = kind !== "ordinary" || (account.isSpecial && rules.version >= 5);
  const limit = isFull ? max : least(bought(messageMoney(draft).coins), max);
  const credit = draft.message?.isExternal === true ? least(prices.gasCredit, max) : 0n;
  return { limit, max, credit };
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
