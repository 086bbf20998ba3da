import { groupBy } from "../../../contracts/kit/groupBy.ts";
import { address, bool, hash, int4, int8s, int53, nullable } from "../../store/schema/columns.ts";
import { readRow, selectList } from "../../store/schema/Table.ts";
import { type ValidatorRow, validatorTables } from "../../store/schema/validatorTables.ts";
import type { HistorySnapshot } from "../kit/History.ts";
import { by, columnOf, type Direction, type ListPage, listed, listSql, type Page } from "../kit/Page.ts";
import { inTimes, type Times } from "../kit/ranges.ts";
import { type Condition, ifSet, Params, type Statement, whereAll } from "../kit/Statement.ts";
import type { ValidatorFilter } from "./events.ts";

/** Times are those of the elections. */
export interface ElectionFilter extends ValidatorFilter, Times {
  readonly electionId?: number | undefined;
  readonly finished?: boolean | undefined;
}

export interface Participant {
  readonly row: ValidatorRow<"participants">;
  /** The place in the set of this election. */
  readonly index: number | undefined;
}

export interface FullElection {
  readonly row: ValidatorRow<"elections">;
  /** All known ones. */
  readonly totalParticipants: number;
  /** Those that match, the largest stake first. */
  readonly participants: readonly Participant[];
}

/** The conditions on a participant `p`. */
function participantIs(params: Params, { holder, adnlAddress, key }: ValidatorFilter): readonly Condition[] {
  return [
    ifSet(key, (value) => `p.validator_key = ${params.of(hash, value)}`),
    ifSet(holder, (value) => `p.stake_holder = ${params.of(address, value)}`),
    ifSet(adnlAddress, (value) => `p.adnl_address = ${params.of(hash, value)}`),
  ].filter((each) => each !== undefined);
}

const orderOf = (sort: Direction) => [by("t.election_id", int53, sort)];

export function electionsSql(filter: ElectionFilter, page: Page, sort: Direction): Statement {
  const params = new Params();
  const wanted = participantIs(params, filter);
  return listSql(params, {
    select: selectList(validatorTables.elections, "t"),
    from: "validator_elections t",
    where: [
      ifSet(filter.electionId, (value) => `t.election_id = ${params.of(int53, value)}`),
      ifSet(filter.finished, (value) => `t.finished = ${params.of(bool, value)}`),
      ...inTimes(params, "t.election_id", filter),
      wanted.length === 0
        ? undefined
        : `t.election_id in (select p.election_id from validator_participants p ${whereAll(wanted)})`,
    ],
    order: orderOf(sort),
    page,
  });
}

export function participantCountsSql(ids: readonly number[]): Statement {
  const params = new Params();
  return params.statement(`
    select p.election_id, count(*) as total from validator_participants p
    where p.election_id = any(${params.of(int8s, ids.map(BigInt))}) group by p.election_id`);
}

export function participantsSql(ids: readonly number[], filter: ValidatorFilter): Statement {
  const params = new Params();
  const isListed = `p.election_id = any(${params.of(int8s, ids.map(BigInt))})`;
  return params.statement(`
    select ${selectList(validatorTables.participants, "p")}, m.validator_index
    from validator_participants p
    left join lateral (
      select m.validator_index from validator_cycles c join validator_members m on m.set_hash = c.set_hash
      where c.election_id = p.election_id and m.validator_key = p.validator_key limit 1
    ) m on true
    ${whereAll([isListed, ...participantIs(params, filter)])}
    order by p.election_id, p.stake desc, p.validator_key, p.stake_holder`);
}

/** Elections with the number of their participants and, if wanted, those that match. */
export async function listElections(
  reading: HistorySnapshot,
  filter: ElectionFilter,
  page: Page,
  { sort, withParticipants }: { readonly sort: Direction; readonly withParticipants: boolean },
): Promise<ListPage<FullElection>> {
  const { items, next } = listed(
    { rows: await reading.query(electionsSql(filter, page, sort)) },
    { order: orderOf(sort), page },
    (row) => readRow(validatorTables.elections, row),
  );
  const ids = items.map(({ electionId }) => electionId);
  if (ids.length === 0) return { items: [], next };
  const counts = await reading.query(participantCountsSql(ids));
  const totals = new Map(counts.map((row) => [Number(columnOf(row, "election_id")), Number(columnOf(row, "total"))]));
  const rows = withParticipants ? await reading.query(participantsSql(ids, filter)) : [];
  const participants = groupBy(
    rows.map((row) => ({
      row: readRow(validatorTables.participants, row),
      index: nullable(int4).read(columnOf(row, "validator_index")),
    })),
    ({ row }) => row.electionId,
  );
  return {
    next,
    items: items.map((row) => ({
      row,
      totalParticipants: totals.get(row.electionId) ?? 0,
      participants: participants.get(row.electionId) ?? [],
    })),
  };
}
