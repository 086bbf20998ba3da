import type { Address } from "../../model/Address.ts";
import { distinct } from "../../model/Address.ts";
import { vestingContracts } from "../entities/vestingContracts.ts";
import { vestingWhitelist } from "../entities/vestingWhitelist.ts";
import { addresses } from "../store/schema/columns.ts";
import { type Row, readRow, selectList } from "../store/schema/Table.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import { type IndexScan, mergeIndexScans } from "./kit/indexScans.ts";
import { insertionOrder, type ListPage, listed, type Page } from "./kit/Page.ts";
import { ifAny, Params, type Statement, selectRowsAt } from "./kit/Statement.ts";

/** Vesting contracts by their own addresses or by those of related wallets. */
export type VestingFilter =
  | { readonly kind: "contracts"; readonly addresses: readonly Address[] }
  | {
      readonly kind: "wallets";
      readonly wallets: readonly Address[];
      /** Whether whitelisted wallets count. */
      readonly withWhitelist: boolean;
    };

/** A vesting contract with its whitelist. */
export interface FullVesting {
  readonly row: Row<typeof vestingContracts>;
  /** Ascending. */
  readonly whitelist: readonly Address[];
}

const byInsertion = insertionOrder("asc");

function scansOf(params: Params, filter: VestingFilter): readonly IndexScan[] {
  if (filter.kind === "contracts") return [];
  const keys = distinct(filter.wallets);
  const scans = ["t.owner_address", "t.sender_address"].map((column): IndexScan => ({ by: { column, keys } }));
  if (!filter.withWhitelist) return scans;
  const allowing = `select w.vesting_address from vesting_whitelist w where w.wallet_address = any(${params.of(addresses, keys)})`;
  return [...scans, { parts: [`t.address in (${allowing})`] }];
}

export function vestingSql(filter: VestingFilter, page: Page): Statement {
  const params = new Params();
  const own = filter.kind === "contracts" ? filter.addresses : [];
  return mergeIndexScans(params, {
    select: selectList(vestingContracts, "t"),
    from: "vesting_contracts t",
    scans: scansOf(params, filter),
    identity: ["address"],
    where: [ifAny(own, (values) => `t.address = any(${params.of(addresses, values)})`)],
    order: byInsertion,
    page,
  });
}

export function whitelistsSql(of: readonly Address[]): Statement {
  return selectRowsAt(vestingWhitelist, "vesting_address", of, "t.vesting_address, t.wallet_address");
}

/** Vesting contracts, ordered by first appearance. */
export async function listVesting(
  reading: HistorySnapshot,
  filter: VestingFilter,
  page: Page,
): Promise<ListPage<FullVesting>> {
  const rows = await reading.query(vestingSql(filter, page));
  const { items, next } = listed({ rows }, { order: byInsertion, page }, (row) => readRow(vestingContracts, row));
  if (items.length === 0) return { items: [], next };
  const whitelists = new Map<Address, Address[]>(items.map((row) => [row.address, []]));
  const entries = await reading.rows(vestingWhitelist, whitelistsSql(items.map((row) => row.address)));
  for (const { vestingAddress, walletAddress } of entries) whitelists.get(vestingAddress)?.push(walletAddress);
  return { items: items.map((row) => ({ row, whitelist: whitelists.get(row.address) ?? [] })), next };
}
