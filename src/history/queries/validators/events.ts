import type { Address } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import { address, hash, int8, int53, text } from "../../store/schema/columns.ts";
import { readRow, selectList } from "../../store/schema/Table.ts";
import { type ValidatorRow, validatorTables } from "../../store/schema/validatorTables.ts";
import type { HistorySnapshot } from "../kit/History.ts";
import { type IndexScansStatement, mergeIndexScans } from "../kit/indexScans.ts";
import { by, type Direction, type ListPage, listed, type Order, type Page } from "../kit/Page.ts";
import { inTimes, type Times } from "../kit/ranges.ts";
import { isSearchedOn, readScans } from "../kit/readPage.ts";
import { ifSet, Params, type Statement } from "../kit/Statement.ts";

/** A validator, by what is known of it; all that is given must hold. */
export interface ValidatorFilter {
  readonly holder?: Address | undefined;
  readonly adnlAddress?: Hash | undefined;
  readonly key?: Hash | undefined;
}

export interface StakeEventFilter extends ValidatorFilter, Times {
  readonly type?: string | undefined;
}

/** The types of a list that names none. */
const listedTypes = ["stake_accepted", "stake_rejected", "stake_recovered"];

function eventOrder(sort: Direction): Order {
  return [by("t.utime", int53, sort), by("t.tx_lt", int8, sort), by("t.tx_hash", hash, sort)];
}

function eventsList(params: Params, filter: StakeEventFilter, page: Page, sort: Direction): IndexScansStatement {
  const { holder, key, adnlAddress, type } = filter;
  // Found by the first of them that is given; others are checked.
  const [found, ...checks] = [
    ifSet(holder, (value) => `t.stake_holder = ${params.of(address, value)}`),
    ifSet(key, (value) => `t.validator_key = ${params.of(hash, value)}`),
    ifSet(adnlAddress, (value) => `t.adnl_address = ${params.of(hash, value)}`),
  ].filter((each) => each !== undefined);
  const types = type === undefined ? listedTypes : [type];
  return {
    select: selectList(validatorTables.events, "t"),
    from: "validator_events t",
    scans: [{ parts: types.map((each) => `t.type = ${params.of(text(), each)}`) }],
    identity: ["tx_hash"],
    where: [found, ...inTimes(params, "t.utime", filter)],
    checks,
    order: eventOrder(sort),
    page,
  };
}

export function stakeEventsSql(filter: StakeEventFilter, page: Page, sort: Direction): Statement {
  const params = new Params();
  return mergeIndexScans(params, eventsList(params, filter, page, sort));
}

/** Stake events; those of requests for a stake are listed only by their type. */
export async function listStakeEvents(
  reading: HistorySnapshot,
  filter: StakeEventFilter,
  page: Page,
  sort: Direction,
): Promise<ListPage<ValidatorRow<"events">>> {
  const found = await readScans(reading, page, stakeEventsSql(filter, page, sort), {
    scans: (params) => eventsList(params, filter, page, sort),
    isAlone: isSearchedOn(filter, page),
  });
  return listed(found, { order: eventOrder(sort), page }, (row) => readRow(validatorTables.events, row));
}
