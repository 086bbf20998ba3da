import {
  type FullJettonWallet,
  type JettonMasterRow,
  listJettonMasters,
  listJettonWallets,
} from "../../history/queries/jettons.ts";
import {
  type FullJettonBurn,
  type FullJettonTransfer,
  listJettonBurns,
  listJettonTransfers,
} from "../../history/queries/tokenEvents.ts";
import { shape } from "../../lib/kit/shape.ts";
import { arg } from "../declare/argument.ts";
import { noProof } from "../declare/proof.ts";
import { about } from "./about.ts";
import { addressArg, addressesArg, boolArg, cursorArgs, maybeSortArg, pageArgs, textArg } from "./args/args.ts";
import { eventArgs, ownersOf, rangeOf, sideOf } from "./args/eventArgs.ts";
import { refusal } from "./args/refusals.ts";
import { indexEndpoint } from "./declare.ts";
import { onHistory } from "./onHistory.ts";
import { tokenProof } from "./proofs/proveTokens.ts";
import { by, within } from "./scope/scopeRule.ts";
import { type ItemsWithMetadata, itemsOf, metadataFields } from "./shapes/book.ts";
import { jettonBurn, jettonMaster, jettonTransfer, jettonWallet } from "./shapes/jettons.ts";

const listArgs = { ...pageArgs, ...cursorArgs };

export const jettonMasters = indexEndpoint({
  name: "jetton/masters",
  proof: tokenProof("jettonMaster"),
  tag: "jettons",
  scope: within([by.account("address"), by.never("admin_address")]),
  summary: "Jetton masters by address or admin.",
  args: {
    address: arg("Addresses of the jetton masters.", addressesArg),
    admin_address: arg("Only jettons with these admins.", addressesArg),
    ...listArgs,
  },
  result: shape<ItemsWithMetadata<JettonMasterRow>>()({
    jetton_masters: itemsOf(jettonMaster, "Jettons that match."),
    ...metadataFields,
  }),
  run: onHistory(async ({ reading, page, items }, args) => {
    const filter = { addresses: args.address, admins: args.admin_address };
    const masters = items(await listJettonMasters(reading, filter, page(args)));
    const involved = masters.flatMap(({ address, adminAddress }) => [address, adminAddress]);
    return { items: masters, ...(await about(reading, involved)) };
  }),
});

export const jettonWallets = indexEndpoint({
  name: "jetton/wallets",
  proof: tokenProof("jettonWallet"),
  tag: "jettons",
  scope: within([by.account("address"), by.jetton("jetton_address"), by.never("owner_address")]),
  summary: "Jetton wallets by address, owner or jetton.",
  description: "With `sort` by balance. Several jettons need exactly one owner.",
  args: {
    address: arg("Addresses of the jetton wallets.", addressesArg),
    owner_address: arg("Only what belongs to these owners, or moved from or to them.", addressesArg),
    jetton_address: arg("Only wallets of these jettons, by their masters.", addressesArg),
    exclude_zero_balance: arg("Leave out wallets that hold nothing.", boolArg),
    ...listArgs,
    sort: arg("Order by balance: `desc` begins with the largest. Not ordered when left out.", maybeSortArg),
  },
  result: shape<ItemsWithMetadata<FullJettonWallet>>()({
    jetton_wallets: itemsOf(jettonWallet, "Jetton wallets that match."),
    ...metadataFields,
  }),
  run: onHistory(async ({ reading, page, items }, args) => {
    if (new Set(args.jetton_address).size > 1 && new Set(args.owner_address).size !== 1)
      throw refusal("oneOwnerForJettons");
    const filter = {
      addresses: args.address,
      owners: args.owner_address,
      jettons: args.jetton_address,
      excludeZeroBalance: args.exclude_zero_balance === true,
    };
    const wallets = items(await listJettonWallets(reading, filter, page(args), args.sort));
    const involved = wallets.flatMap(({ row }) => [row.address, row.owner, row.jetton]);
    return { items: wallets, ...(await about(reading, involved)) };
  }),
});

export const jettonTransfers = indexEndpoint({
  name: "jetton/transfers",
  proof: noProof("the index derives it; transactions with hash proves the transaction of a transfer"),
  tag: "jettons",
  scope: within([
    by.jetton("jetton_master"),
    by.account("jetton_wallet"),
    by.sender("owner_address"),
    by.sender("address"),
  ]),
  summary: "Transfers of jettons by owner, jetton wallet, jetton or time.",
  description:
    "Aborted transfers are omitted. `jetton_wallet` is the sender's. `direction` is `in` for received transfers, `out` " +
    "for sent ones; both otherwise.",
  args: {
    owner_address: arg("Only what belongs to these owners, or moved from or to them.", addressesArg),
    address: arg("Older name of `owner_address`, for one owner.", addressArg),
    jetton_wallet: arg("Only events of these jetton wallets.", addressesArg),
    jetton_master: arg("Only events of this jetton, by its master.", addressArg),
    direction: arg(
      "`in` for messages or transfers that are received, `out` for those that are sent; both when left out.",
      textArg,
    ),
    ...eventArgs,
  },
  result: shape<ItemsWithMetadata<FullJettonTransfer>>()({
    jetton_transfers: itemsOf(jettonTransfer, "Transfers that match, in the requested order."),
    ...metadataFields,
  }),
  run: onHistory(async ({ reading, page, items }, args) => {
    const filter = {
      owners: ownersOf(args.owner_address, args.address),
      side: sideOf(args.direction),
      holders: args.jetton_wallet,
      issuer: args.jetton_master,
      ...rangeOf(args),
    };
    const transfers = items(await listJettonTransfers(reading, filter, page(args), args.sort));
    const involved = transfers.flatMap(({ row }) => [
      row.source,
      row.destination,
      row.sourceWallet,
      row.jettonMaster,
      row.responseDestination,
    ]);
    return { items: transfers, ...(await about(reading, involved)) };
  }),
});

export const jettonBurns = indexEndpoint({
  name: "jetton/burns",
  proof: noProof("the index derives it; transactions with hash proves the transaction of a burn"),
  tag: "jettons",
  scope: within([
    by.jetton("jetton_master"),
    by.account("jetton_wallet"),
    by.account("owner_address"),
    by.account("address"),
  ]),
  summary: "Burns of jettons by owner, jetton wallet, jetton or time, including aborted ones.",
  args: {
    address: arg("Older name of `owner_address`.", addressesArg),
    owner_address: arg("Only what belongs to these owners, or moved from or to them.", addressesArg),
    jetton_wallet: arg("Only events of these jetton wallets.", addressesArg),
    jetton_master: arg("Only events of this jetton, by its master.", addressArg),
    ...eventArgs,
  },
  result: shape<ItemsWithMetadata<FullJettonBurn>>()({
    jetton_burns: itemsOf(jettonBurn, "Burns that match, in the requested order."),
    ...metadataFields,
  }),
  run: onHistory(async ({ reading, page, items }, args) => {
    const filter = {
      owners: args.owner_address.length > 0 ? args.owner_address : args.address,
      holders: args.jetton_wallet,
      issuer: args.jetton_master,
      ...rangeOf(args),
    };
    const burns = items(await listJettonBurns(reading, filter, page(args), args.sort));
    const involved = burns.flatMap(({ row }) => [
      row.owner,
      row.jettonWallet,
      row.jettonMaster,
      row.responseDestination,
    ]);
    return { items: burns, ...(await about(reading, involved)) };
  }),
});
