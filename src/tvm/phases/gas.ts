import { type Address, makeAddress } from "../../model/Address.ts";
import { gasFee } from "../../model/config/fees.ts";
import type { GasPrices } from "../../model/config/GasLimitsPrices.ts";
import { type Draft, type Gas, messageMoney } from "./Draft.ts";

export function gasPrices({ rules, account }: Draft): GasPrices {
  return account.isMasterchain ? rules.gas.masterchain : rules.gas.basechain;
}

function gasFor(prices: GasPrices, gasLimit: bigint, coins: bigint): bigint {
  const { flatGasLimit, flatGasPrice, gasPrice } = prices;
  if (coins >= gasFee(prices, gasLimit)) return gasLimit;
  return coins < flatGasPrice ? 0n : ((coins - flatGasPrice) << 16n) / gasPrice + flatGasLimit;
}

interface Override {
  readonly limit: bigint;
  readonly since: number;
  readonly until: number;
}

/** Wallets whose queries had become too many to be cleaned up within the usual limit, with the date until which they could. */
const overrides: ReadonlyMap<Address, Override> = new Map(
  [
    ["ffbfd8f5ae5b2e1c7c3614885cb02145483dfaee575f0dd08a72c366369211cd", 70_000_000n, 5, 1_709_164_800],
    ["5e4a5f9dba638789e6770c990d2959237aca3bc19d15a734782c26cb19343cc6", 70_000_000n, 9, 1_740_787_200],
    ["b755c43ee37925c30f547e2991e7c4c18c1ce4ec63eea5743708dbad868369fa", 70_000_000n, 9, 1_740_787_200],
    ["61c016fc8efa241af7eb787451a1e571236dfb3eb389832aec0212c0fb8ac10b", 70_000_000n, 9, 1_740_787_200],
    ["a4a11a78384f92154a0c12761f2f7bc5e374f703335f5bc8f24c2e32ce4f1c26", 70_000_000n, 9, 1_740_787_200],
    ["4de480ab6acefd53c158126ef5c2cdf89fe64d210d0b44da5c90e52c215dce79", 70_000_000n, 9, 1_740_787_200],
    ["436a76c2794a88e3fbfec6b9c0374fc8db046f10868b835420d9937973a665d4", 225_000_000n, 9, 1_740_787_200],
  ].map(([account, limit, since, until]) => [
    makeAddress(0, String(account)),
    { limit: BigInt(limit ?? 0), since: Number(since), until: Number(until) },
  ]),
);

function gasLimitOf(draft: Draft, prices: GasPrices): bigint {
  const { account, rules, now } = draft;
  const found = overrides.get(makeAddress(account.workchain, account.id));
  return found === undefined || rules.version < found.since || now >= found.until ? prices.gasLimit : found.limit;
}

/** How much gas the code may use at once, how much it may accept, and how much it has to decide that. */
export function gasOf(draft: Draft): Gas {
  const { account, rules, balance, kind } = draft;
  const prices = gasPrices(draft);
  const bought = (coins: bigint): bigint => gasFor(prices, gasLimitOf(draft, prices), coins);
  const max = account.isSpecial ? prices.specialGasLimit : bought(balance.coins);
  const isFull = kind !== "ordinary" || (account.isSpecial && rules.version >= 5);
  const limit = isFull ? max : least(bought(messageMoney(draft).coins), max);
  const credit = draft.message?.isExternal === true ? least(prices.gasCredit, max) : 0n;
  return { limit, max, credit };
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
