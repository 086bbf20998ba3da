import { readRoot } from "../../cell/boc.ts";
import { addressesOf } from "../../contracts/families/multisig/OrderBody.ts";
import { type OrderAction, readOrderActions } from "../../contracts/families/multisig/orderActions.ts";
import { addressBook } from "../../history/queries/addressBook.ts";
import {
  findOrdersOf,
  listMultisigOrders,
  listMultisigs,
  type MultisigOrderRow,
} from "../../history/queries/multisig.ts";
import { shape } from "../../lib/kit/shape.ts";
import { mapInPieces } from "../../lib/sharing/mapInPieces.ts";
import type { Address } from "../../model/Address.ts";
import { arg } from "../declare/argument.ts";
import { addressesArg, boolArg, cursorArgs, orElseArg, pageArgs, sortArg } from "./args/args.ts";
import { refusal } from "./args/refusals.ts";
import { indexEndpoint } from "./declare.ts";
import { onHistory } from "./onHistory.ts";
import { contractProof } from "./proofs/proveContracts.ts";
import { by, within } from "./scope/scopeRule.ts";
import { bookFields, type ItemsWithBook, itemsOf } from "./shapes/book.ts";
import { multisigOrder, multisig as multisigShape, type ShownMultisig, type ShownOrder } from "./shapes/multisig.ts";

const listArgs = { ...pageArgs, ...cursorArgs, sort: sortArg };

export const multisigWallets = indexEndpoint({
  name: "multisig/wallets",
  proof: contractProof("wallets"),
  tag: "multisig",
  scope: within([by.account("address"), by.never("wallet_address")]),
  summary: "Multisig wallets by address or by signers and proposers.",
  args: {
    address: arg("Addresses of the multisig wallets.", addressesArg, ["multisig"]),
    wallet_address: arg("Addresses of the accounts that take part.", addressesArg),
    include_orders: arg("Add the orders of every multisig wallet.", orElseArg(boolArg, true)),
    ...listArgs,
  },
  result: shape<ItemsWithBook<ShownMultisig>>()({
    multisigs: itemsOf(multisigShape, "Multisig wallets that match."),
    ...bookFields,
  }),
  run: onHistory(async ({ reading, page, items }, args) => {
    if (args.address.length === 0 && args.wallet_address.length === 0) throw refusal("multisigNeeded");
    const filter = { addresses: args.address, members: args.wallet_address };
    const rows = items(await listMultisigs(reading, filter, page(args), args.sort));
    const wanted = args.include_orders ? rows.map(({ address }) => address) : [];
    const orders = await findOrdersOf(reading, wanted);
    const wallets = rows.map((row) => ({ row, orders: (orders.get(row.address) ?? []).map(unread) }));
    const involved = wallets.flatMap((wallet) => [
      wallet.row.address,
      ...wallet.row.signers,
      ...wallet.row.proposers,
      ...wallet.orders.flatMap(({ row }) => [row.address, ...row.signers]),
    ]);
    return { items: wallets, book: await addressBook(reading, involved) };
  }),
});

function unread(row: MultisigOrderRow): ShownOrder {
  return { row, actions: undefined };
}

function read(row: MultisigOrderRow): ShownOrder {
  return { row, actions: row.orderBoc === undefined ? [] : readOrderActions(readRoot(row.orderBoc)) };
}

function actionAddresses({ destination, content }: OrderAction): readonly (Address | undefined)[] {
  return [destination, ...(content.kind === "parsed" ? addressesOf(content.body) : [])];
}

export const multisigOrders = indexEndpoint({
  name: "multisig/orders",
  proof: contractProof("orders"),
  tag: "multisig",
  scope: within([by.account("address"), by.account("multisig_address")]),
  summary: "Orders of multisig wallets by their addresses or by those of the wallets.",
  args: {
    address: arg("Addresses of the order contracts.", addressesArg),
    multisig_address: arg("Only orders of these multisig wallets.", addressesArg, ["multisig"]),
    parse_actions: arg("Decode what every order would do.", orElseArg(boolArg, false)),
    ...listArgs,
  },
  result: shape<ItemsWithBook<ShownOrder>>()({
    orders: itemsOf(multisigOrder, "Orders that match."),
    ...bookFields,
  }),
  run: onHistory(async ({ reading, page, items }, args) => {
    if (args.address.length === 0 && args.multisig_address.length === 0) throw refusal("orderNeeded");
    const filter = { addresses: args.address, multisigs: args.multisig_address };
    const rows = items(await listMultisigOrders(reading, filter, page(args), args.sort));
    const orders = await mapInPieces(rows, args.parse_actions ? read : unread);
    const involved = orders.flatMap(({ row, actions = [] }) => [
      row.address,
      ...row.signers,
      row.multisigAddress,
      ...actions.flatMap(actionAddresses),
    ]);
    return { items: orders, book: await addressBook(reading, involved) };
  }),
});
