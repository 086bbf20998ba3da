import { addressBook } from "../../history/queries/addressBook.ts";
import { type FullVesting, listVesting, type VestingFilter } from "../../history/queries/vesting.ts";
import { shape } from "../../lib/kit/shape.ts";
import type { Address } from "../../model/Address.ts";
import { arg } from "../declare/argument.ts";
import { addressesArg, boolArg, cursorArgs, orElseArg, pageArgs } from "./args/args.ts";
import { refusal } from "./args/refusals.ts";
import { indexEndpoint } from "./declare.ts";
import { onHistory } from "./onHistory.ts";
import { contractProof } from "./proofs/proveContracts.ts";
import { by, within } from "./scope/scopeRule.ts";
import { bookFields, type ItemsWithBook, itemsOf } from "./shapes/book.ts";
import { vestingInfo } from "./shapes/vesting.ts";

function filterOf(addresses: readonly Address[], wallets: readonly Address[], withWhitelist: boolean): VestingFilter {
  if (addresses.length > 0 && wallets.length > 0) throw refusal("vestingTwice");
  if (addresses.length > 0) return { kind: "contracts", addresses };
  if (wallets.length > 0) return { kind: "wallets", wallets, withWhitelist };
  throw refusal("vestingNeeded");
}

export const vesting = indexEndpoint({
  name: "vesting",
  proof: contractProof("vesting"),
  tag: "vesting",
  scope: within([by.account("contract_address"), by.never("wallet_address")]),
  summary: "Vesting contracts by their addresses or by those of wallets.",
  description:
    "A wallet is the owner or the sender of a contract or, with `check_whitelist`, one that the contract may send to. " +
    "Give either `contract_address` or `wallet_address`.",
  args: {
    contract_address: arg("Addresses of the vesting contracts.", addressesArg, ["vesting"]),
    wallet_address: arg("Addresses of the accounts that take part.", addressesArg),
    check_whitelist: arg("Also find contracts that may send to these wallets.", orElseArg(boolArg, false)),
    ...pageArgs,
    ...cursorArgs,
  },
  result: shape<ItemsWithBook<FullVesting>>()({
    vesting_contracts: itemsOf(vestingInfo, "Vesting contracts that match."),
    ...bookFields,
  }),
  run: onHistory(async ({ reading, page, items }, args) => {
    const filter = filterOf(args.contract_address, args.wallet_address, args.check_whitelist);
    const contracts = items(await listVesting(reading, filter, page(args)));
    const involved = contracts.flatMap(({ row, whitelist }) => [
      row.address,
      row.senderAddress,
      row.ownerAddress,
      ...whitelist,
    ]);
    return { items: contracts, book: await addressBook(reading, involved) };
  }),
});
