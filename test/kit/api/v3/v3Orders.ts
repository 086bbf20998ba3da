import type { Json, JsonList } from "../demoStage.ts";
import type { Args } from "./v3Filters.ts";

type Sort = "asc" | "desc";

/** A sort key of a list: a comparable value of its items, and the direction. Null sorts above all others. */
type Key = readonly [reported: (item: Json) => bigint | string | null, sort: Sort];

const whole = (name: string) => (item: Json) => (item[name] === null ? null : BigInt(String(item[name])));
const hash = (name: string) => (item: Json) => Buffer.from(String(item[name]), "base64").toString("hex");

/** Accounts are sorted by workchain, then by their bytes. */
const account = (name: string) => (item: Json) => {
  if (item[name] === null) return null;
  const [workchain = "", own = ""] = String(item[name]).split(":");
  return `${String(Number(workchain) + 2 ** 31).padStart(10, "0")}${own}`;
};

const shardOf = ({ shard }: Json) => BigInt.asIntN(64, BigInt(`0x${shard}`));

const isTimed = (args: Args) => "start_utime" in args || "end_utime" in args;
const isOne = (list: string | undefined) => list !== undefined && !list.includes(",");

function transactionOrder(args: Args, sort: Sort): readonly Key[] {
  const lt: Key = [whole("lt"), sort];
  const time: readonly Key[] = isTimed(args) ? [[whole("now"), sort]] : [];
  if ("lt" in args) return [[account("account"), sort]];
  if ("hash" in args) return [[hash("hash"), sort]];
  if (isOne(args.account)) return [...time, lt];
  return [...("mc_seqno" in args ? [] : time), lt, [account("account"), "asc"]];
}

function actionOrder(args: Args, sort: Sort): readonly Key[] {
  const clock = isTimed(args) ? "utime" : "lt";
  return [
    [whole(`trace_end_${clock}`), sort],
    [hash("trace_id"), sort],
    [whole(`end_${clock}`), sort],
    [hash("action_id"), sort],
  ];
}

function eventOrder(args: Args, sort: Sort): readonly Key[] {
  return [[whole(isTimed(args) ? "transaction_now" : "transaction_lt"), sort]];
}

function itemOrder(args: Args): readonly Key[] {
  const byIndex: readonly Key[] = [[whole("index"), "asc"]];
  if ("sort_by_last_transaction_lt" in args) return [[whole("last_transaction_lt"), "desc"]];
  if (isOne(args.collection_address)) return byIndex;
  // By the real owner, which is shown only for items on sale.
  if ("include_on_sale" in args) return [[account("collection_address"), "asc"], ...byIndex];
  if (!("owner_address" in args)) return [];
  return [[account("owner_address"), "asc"], [account("collection_address"), "asc"], ...byIndex];
}

function walletOrder(args: Args, sort: Sort): readonly Key[] {
  const balance: Key = [whole("balance"), sort];
  if (isOne(args.jetton_address)) return [balance];
  if ("owner_address" in args) return [[account("owner"), "asc"], balance];
  return "address" in args ? [[account("address"), "asc"]] : [balance];
}

/** The order of each list for which the contract gives an order other than insertion. */
const orders: Readonly<Record<string, (args: Args, sort: Sort) => readonly Key[]>> = {
  blocks: (_args, sort) => [
    [whole("gen_utime"), sort],
    [whole("workchain"), "asc"],
    [shardOf, "asc"],
    [whole("seqno"), sort],
  ],
  transactions: transactionOrder,
  messages: (args, sort) => [
    [whole(isTimed(args) ? "created_at" : "created_lt"), sort],
    [hash("hash"), sort],
  ],
  traces: (args, sort) => [
    [whole(isTimed(args) ? "end_utime" : "end_lt"), sort],
    [hash("trace_id"), sort],
  ],
  actions: actionOrder,
  "jetton/transfers": eventOrder,
  "jetton/burns": eventOrder,
  "nft/transfers": eventOrder,
  "nft/items": itemOrder,
  "jetton/wallets": walletOrder,
  "dns/records": () => [
    [(item) => BigInt(String(item.domain).length), "asc"],
    [(item) => String(item.domain), "asc"],
  ],
};

/** Whether the contract orders a list by values that items show. */
export function hasOrder(path: string): boolean {
  return Object.hasOwn(orders, path);
}

function compare(one: Json, other: Json, keys: readonly Key[]): number {
  for (const [reported, sort] of keys) {
    const [a, b] = [reported(one), reported(other)];
    if (a === b) continue;
    const isAbove = a === null || (b !== null && a > b);
    return isAbove === (sort === "asc") ? 1 : -1;
  }
  return 0;
}

/** Sorts items as the contract says; where it gives no order, items stay in place. */
export function inOrder(path: string, args: Args, sort: Sort, items: JsonList): JsonList {
  const keys = orders[path]?.(args, sort) ?? [];
  return items.toSorted((one, other) => compare(one, other, keys));
}
