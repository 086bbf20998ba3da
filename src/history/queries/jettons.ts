import type { Address } from "../../model/Address.ts";
import { distinct } from "../../model/Address.ts";
import { jettonMasters } from "../entities/jettonMasters.ts";
import { jettonWallets } from "../entities/jettonWallets.ts";
import { mintlessJettonMasters } from "../entities/mintlessJettonMasters.ts";
import type { TableLayout } from "../store/Database.ts";
import { address, addresses, amount, int8 } from "../store/schema/columns.ts";
import { type Row, readRow, selectList } from "../store/schema/Table.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import { type IndexScan, type IndexScansStatement, mergeIndexScans } from "./kit/indexScans.ts";
import { by, type Direction, insertionOrder, type ListPage, listed, type Order, type Page } from "./kit/Page.ts";
import { isSearchedOn, listQuery, readScans } from "./kit/readPage.ts";
import { type Condition, ifAny, Params, type Statement, whereAll } from "./kit/Statement.ts";
import { skipRows } from "./kit/skipRows.ts";

export type JettonMasterRow = Row<typeof jettonMasters>;

export interface JettonMasterFilter {
  readonly addresses: readonly Address[];
  readonly admins: readonly Address[];
}

/** The order in which entities were first seen. */
const byInsertion = insertionOrder("asc");

function mastersList(params: Params, filter: JettonMasterFilter, page: Page): IndexScansStatement {
  const admins = distinct(filter.admins);
  const isBounded = filter.addresses.length > 0;
  return {
    select: selectList(jettonMasters, "t"),
    from: "jetton_masters t",
    scans: isBounded || admins.length === 0 ? [] : [{ by: { column: "t.admin_address", keys: admins } }],
    identity: ["address"],
    where: [
      ifAny(filter.addresses, (values) => `t.address = any(${params.of(addresses, values)})`),
      isBounded ? ifAny(admins, (values) => `t.admin_address = any(${params.of(addresses, values)})`) : undefined,
    ],
    order: byInsertion,
    page,
  };
}

export function jettonMastersSql(filter: JettonMasterFilter, page: Page): Statement {
  const params = new Params();
  return mergeIndexScans(params, mastersList(params, filter, page));
}

/** Jetton masters, in the order in which they were first seen. */
export const listJettonMasters = listQuery(
  jettonMastersSql,
  () => byInsertion,
  (row) => readRow(jettonMasters, row),
);

export interface JettonWalletFilter {
  readonly addresses: readonly Address[];
  readonly owners: readonly Address[];
  readonly jettons: readonly Address[];
  readonly excludeZeroBalance?: boolean;
}

/** A jetton wallet with the amount its owner can still claim, if any. */
export interface FullJettonWallet {
  readonly row: Row<typeof jettonWallets>;
  readonly unclaimed: UnclaimedJettons | undefined;
}

export interface UnclaimedJettons {
  readonly amount: bigint;
  readonly startFrom: number | undefined;
  readonly expireAt: number | undefined;
  readonly customPayloadApiUri: readonly string[] | undefined;
}

/** The cases of the contract, the strongest first. Without `sort` wallets are ordered by first appearance. */
function walletsOrder({ addresses: own, owners, jettons }: JettonWalletFilter, sort: Direction | undefined): Order {
  const last =
    sort === undefined
      ? byInsertion
      : [by("t.balance", amount, sort), by("t.id", int8, sort), by("t.address", address, sort)];
  if (distinct(jettons).length === 1) return last;
  if (owners.length > 0) return [by("t.owner", address, "asc"), ...last];
  return own.length > 0 ? [by("t.address", address, "asc")] : last;
}

const hasSome = "t.balance > 0";
const canClaimOnly = "t.balance = 0 and t.mintless_amount > 0 and not t.mintless_is_claimed";

/**
 * A master gives each owner one wallet: few wallets have one of the owners and one of the jettons. All of them are read
 * where no index has them in the order that is wanted.
 */
function isBounded({ addresses: own, owners, jettons }: JettonWalletFilter, sort: Direction | undefined): boolean {
  if (own.length > 0 || owners.length === 0) return own.length > 0;
  return jettons.length > 0 && (sort !== undefined || distinct(jettons).length > 1);
}

function walletScans(
  { owners, jettons, excludeZeroBalance }: JettonWalletFilter,
  sort: Direction | undefined,
): readonly IndexScan[] {
  const [keys, masters] = [distinct(owners), distinct(jettons)];
  const way =
    keys.length > 0
      ? { column: "t.owner", keys }
      : masters.length > 0
        ? { column: "t.jetton", keys: masters }
        : undefined;
  // Wallets without a balance may be the majority: in the order of balances they are not read one by one.
  const isSplit = excludeZeroBalance === true && sort !== undefined;
  return [isSplit ? { by: way, parts: [hasSome, canClaimOnly] } : { by: way }];
}

/** The conditions by which few wallets are found. */
function walletConditions(params: Params, filter: JettonWalletFilter): readonly Condition[] {
  const { addresses: own, owners, jettons } = filter;
  return [
    ifAny(own, (values) => `t.address = any(${params.of(addresses, values)})`),
    ifAny(owners, (values) => `t.owner = any(${params.of(addresses, values)})`),
    ifAny(distinct(jettons), (values) => jettonIs(params, values)),
  ];
}

const isNotEmpty = `(${hasSome} or (${canClaimOnly}))`;

function walletsList(
  params: Params,
  filter: JettonWalletFilter,
  page: Page,
  sort: Direction | undefined,
): IndexScansStatement {
  const list = {
    identity: ["address"],
    select: selectList(jettonWallets, "t"),
    order: walletsOrder(filter, sort),
    page,
  };
  const { excludeZeroBalance } = filter;
  if (isBounded(filter, sort)) {
    // Read first and sorted then: the planner must not walk an owner's wallets in order to find these.
    const few = `(select t.* from jetton_wallets t ${whereAll(walletConditions(params, filter))} offset 0) t`;
    return { ...list, from: few, scans: [], where: [excludeZeroBalance === true ? isNotEmpty : undefined] };
  }
  const inJetton = filter.owners.length === 0 ? undefined : ifAny(filter.jettons, (values) => jettonIs(params, values));
  const checks = excludeZeroBalance === true && sort === undefined ? [isNotEmpty] : [];
  return { ...list, from: "jetton_wallets t", scans: walletScans(filter, sort), where: [inJetton], checks };
}

function jettonIs(params: Params, jettons: readonly Address[]): string {
  const [only] = jettons;
  return jettons.length === 1 && only !== undefined
    ? `t.jetton = ${params.of(address, only)}`
    : `t.jetton = any(${params.of(addresses, jettons)})`;
}

export function jettonWalletsSql(
  filter: JettonWalletFilter,
  page: Page,
  sort: Direction | undefined,
  layout?: TableLayout,
): Statement {
  const params = new Params(layout);
  return mergeIndexScans(params, walletsList(params, filter, page, sort));
}

/** Jetton wallets; with `sort` by balance. */
export async function listJettonWallets(
  reading: HistorySnapshot,
  filter: JettonWalletFilter,
  asked: Page,
  sort: Direction | undefined,
): Promise<ListPage<FullJettonWallet>> {
  const { layout } = reading;
  const page = await skipRows(reading, asked, (params) => walletsList(params, filter, asked, sort));
  if (page === undefined) return { items: [], next: undefined };
  const found = await readScans(reading, page, jettonWalletsSql(filter, page, sort, layout), {
    scans: (params) => walletsList(params, filter, page, sort),
    isAlone: isSearchedOn(filter, asked),
  });
  const order = walletsOrder(filter, sort);
  const { items, next } = listed(found, { order, page }, (row) => readRow(jettonWallets, row));
  const claimable = items.filter(
    ({ mintlessIsClaimed, mintlessAmount }) => mintlessIsClaimed === false && mintlessAmount !== undefined,
  );
  const masters = distinct(claimable.map(({ jetton }) => jetton));
  const uris = new Map(
    masters.length === 0
      ? []
      : (await reading.rows(mintlessJettonMasters, mintlessMastersSql(masters))).map((master) => [
          master.address,
          master.customPayloadApiUri,
        ]),
  );
  return { items: items.map((row) => ({ row, unclaimed: findUnclaimed(row, uris) })), next };
}

function findUnclaimed(
  { jetton, mintlessIsClaimed, mintlessAmount, mintlessStartFrom, mintlessExpireAt }: Row<typeof jettonWallets>,
  uris: ReadonlyMap<Address, readonly string[] | undefined>,
): UnclaimedJettons | undefined {
  if (mintlessIsClaimed !== false || mintlessAmount === undefined) return undefined;
  return {
    amount: mintlessAmount,
    startFrom: mintlessStartFrom,
    expireAt: mintlessExpireAt,
    customPayloadApiUri: uris.get(jetton),
  };
}

export function mintlessMastersSql(masters: readonly Address[]): Statement {
  const params = new Params();
  return params.statement(`
    select ${selectList(mintlessJettonMasters, "j")} from mintless_jetton_masters j
    where j.address = any(${params.of(addresses, masters)})`);
}
