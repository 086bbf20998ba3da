import type { Address } from "../../../model/Address.ts";
import { address, int4, int8, int53, text } from "../../store/schema/columns.ts";
import { nominatorPoolEvents, poolValidatorEvents } from "../../store/schema/poolTables.ts";
import { type Row, selectList } from "../../store/schema/Table.ts";
import type { HistorySnapshot } from "../kit/History.ts";
import { by, listSql, type Order, type Page } from "../kit/Page.ts";
import { inTimes, type Times } from "../kit/ranges.ts";
import { ifSet, Params, type Statement } from "../kit/Statement.ts";

export type NominatorEventRow = Row<typeof nominatorPoolEvents>;
export type ValidatorEventRow = Row<typeof poolValidatorEvents>;

/** Events of the nominators of a pool, or of one of them. */
export interface NominatorEventFilter extends Times {
  readonly pool: Address;
  readonly nominator?: Address | undefined;
  readonly type?: "reward";
}

/** Events of a validator, of a pool, or of a validator in a pool. */
export interface ValidatorEventFilter extends Times {
  readonly validator?: Address | undefined;
  readonly pool?: Address | undefined;
  readonly type?: string | undefined;
}

const newestFirst = [by("e.utime", int53, "desc"), by("e.tx_lt", int8, "desc")];
const nominatorOrder: Order = [...newestFirst, by("e.event_index", int4, "desc")];
const validatorOrder: Order = [...newestFirst, by("e.pool_address", address, "desc")];

export function nominatorEventsSql(filter: NominatorEventFilter, page: Page): Statement {
  const params = new Params();
  return listSql(params, {
    select: selectList(nominatorPoolEvents, "e"),
    from: "nominator_pool_events e",
    where: [
      `e.pool_address = ${params.of(address, filter.pool)}`,
      ifSet(filter.nominator, (value) => `e.nominator_address = ${params.of(address, value)}`),
      // Not a parameter, so that the index of rewards is found.
      ifSet(filter.type, (value) => `e.type = '${value}'`),
      ...inTimes(params, "e.utime", filter),
    ],
    order: nominatorOrder,
    page,
  });
}

/** What transactions of a pool changed for its nominators, the newest first. */
export function listNominatorEvents(
  reading: HistorySnapshot,
  filter: NominatorEventFilter,
  page: Page,
): Promise<readonly NominatorEventRow[]> {
  return reading.rows(nominatorPoolEvents, nominatorEventsSql(filter, page));
}

export function validatorEventsSql(filter: ValidatorEventFilter, page: Page): Statement {
  const params = new Params();
  return listSql(params, {
    select: selectList(poolValidatorEvents, "e"),
    from: "pool_validator_events e",
    where: [
      ifSet(filter.pool, (value) => `e.pool_address = ${params.of(address, value)}`),
      ifSet(filter.validator, (value) => `e.validator_address = ${params.of(address, value)}`),
      ifSet(filter.type, (value) => `e.type = ${params.of(text(), value)}`),
      ...inTimes(params, "e.utime", filter),
    ],
    order: validatorOrder,
    page,
  });
}

/** What transactions of pools changed for their validators, the newest first. */
export function listValidatorEvents(
  reading: HistorySnapshot,
  filter: ValidatorEventFilter,
  page: Page,
): Promise<readonly ValidatorEventRow[]> {
  return reading.rows(poolValidatorEvents, validatorEventsSql(filter, page));
}
