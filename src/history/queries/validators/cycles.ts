import { groupBy } from "../../../contracts/kit/groupBy.ts";
import type { Address } from "../../../model/Address.ts";
import type { SqlRow } from "../../store/Database.ts";
import { address, amount, hash, int8s, int53, nullable } from "../../store/schema/columns.ts";
import { readRow, selectList } from "../../store/schema/Table.ts";
import { type ValidatorRow, validatorTables } from "../../store/schema/validatorTables.ts";
import type { HistorySnapshot } from "../kit/History.ts";
import { by, columnOf, type Direction, type ListPage, listed, listSql, type Page } from "../kit/Page.ts";
import { inTimes, type Times } from "../kit/ranges.ts";
import { type Condition, ifSet, Params, type Statement, whereAll } from "../kit/Statement.ts";
import { type FullComplaint, findComplaintsOf, holderOf, participantOf } from "./complaints.ts";
import type { ValidatorFilter } from "./events.ts";

/** Times are the beginnings of the cycles. */
export interface CycleFilter extends ValidatorFilter, Times {
  readonly cycleStart?: number | undefined;
  readonly electionId?: number | undefined;
}

export interface CycleMember {
  readonly row: ValidatorRow<"members">;
  readonly holder: Address | undefined;
  /** As it was sent with the stake. */
  readonly maxFactor: number | undefined;
  /** The newest first. */
  readonly complaints: readonly FullComplaint[];
}

export interface FullCycle {
  readonly row: ValidatorRow<"cycles">;
  /** The smallest and the largest stake, when all are known. */
  readonly stakes: { readonly smallest: bigint; readonly largest: bigint } | undefined;
  /** Those that match, by their places in the set. */
  readonly members: readonly CycleMember[];
}

/** The conditions on a member `m`, whose stake `p` tells. */
function memberIs(params: Params, { holder, adnlAddress, key }: ValidatorFilter): readonly Condition[] {
  return [
    ifSet(key, (value) => `m.validator_key = ${params.of(hash, value)}`),
    ifSet(adnlAddress, (value) => `m.adnl_address = ${params.of(hash, value)}`),
    ifSet(holder, (value) => `${holderOf} = ${params.of(address, value)}`),
  ].filter((each) => each !== undefined);
}

/** The cycles with a member that meets all conditions; members are found by one that has an index. */
function withMember(params: Params, filter: ValidatorFilter): Condition {
  const wanted = memberIs(params, filter);
  if (wanted.length === 0) return undefined;
  const { holder } = filter;
  const isIndexed = filter.key !== undefined || filter.adnlAddress !== undefined || holder === undefined;
  const members = isIndexed
    ? "validator_members m"
    : `(
        select f.set_hash, f.validator_key from validator_members f where f.stake_holder = ${params.of(address, holder)}
        union
        select e.set_hash, s.validator_key from validator_participants s
        join validator_cycles e on e.election_id = s.election_id where s.stake_holder = ${params.of(address, holder)}
      ) k join validator_members m on m.set_hash = k.set_hash and m.validator_key = k.validator_key`;
  return `t.cycle_start in (
      select c.cycle_start from ${members} join validator_cycles c on c.set_hash = m.set_hash
      left join ${participantOf("m")} ${whereAll(wanted)}
    )`;
}

const orderOf = (sort: Direction) => [by("t.cycle_start", int53, sort)];

export function cyclesSql(filter: CycleFilter, page: Page, sort: Direction): Statement {
  const params = new Params();
  return listSql(params, {
    select: selectList(validatorTables.cycles, "t"),
    from: "validator_cycles t",
    where: [
      ifSet(filter.cycleStart, (value) => `t.cycle_start = ${params.of(int53, value)}`),
      ifSet(filter.electionId, (value) => `t.election_id = ${params.of(int53, value)}`),
      ...inTimes(params, "t.cycle_start", filter),
      withMember(params, filter),
    ],
    order: orderOf(sort),
    page,
  });
}

export function cycleStakesSql(starts: readonly number[]): Statement {
  const params = new Params();
  return params.statement(`
    select c.cycle_start, min(m.stake) as smallest, max(m.stake) as largest
    from validator_cycles c join validator_members m on m.set_hash = c.set_hash
    where c.cycle_start = any(${params.of(int8s, starts.map(BigInt))})
    group by c.cycle_start having count(*) = count(m.stake)`);
}

export function cycleMembersSql(starts: readonly number[], filter: ValidatorFilter): Statement {
  const params = new Params();
  const isListed = `c.cycle_start = any(${params.of(int8s, starts.map(BigInt))})`;
  return params.statement(`
    select c.cycle_start, ${selectList(validatorTables.members, "m")}, p.max_factor, ${holderOf} as holder
    from validator_cycles c join validator_members m on m.set_hash = c.set_hash
    left join ${participantOf("m")}
    ${whereAll([isListed, ...memberIs(params, filter)])}
    order by c.cycle_start, m.validator_index`);
}

/** Cycles with what is known of their stakes and, if wanted, the members that match. */
export async function listCycles(
  reading: HistorySnapshot,
  filter: CycleFilter,
  page: Page,
  { sort, withMembers }: { readonly sort: Direction; readonly withMembers: boolean },
): Promise<ListPage<FullCycle>> {
  const { items, next } = listed(
    { rows: await reading.query(cyclesSql(filter, page, sort)) },
    { order: orderOf(sort), page },
    (row) => readRow(validatorTables.cycles, row),
  );
  const starts = items.map(({ cycleStart }) => cycleStart);
  if (starts.length === 0) return { items: [], next };
  const stakes = new Map((await reading.query(cycleStakesSql(starts))).map(readStakes));
  const members = withMembers ? await findMembers(reading, starts, filter) : new Map<number, readonly CycleMember[]>();
  return {
    next,
    items: items.map((row) => ({
      row,
      stakes: stakes.get(row.cycleStart),
      members: members.get(row.cycleStart) ?? [],
    })),
  };
}

function readStakes(row: SqlRow) {
  const smallest = amount.read(columnOf(row, "smallest"));
  const largest = amount.read(columnOf(row, "largest"));
  return [int53.read(columnOf(row, "cycle_start")), { smallest, largest }] as const;
}

async function findMembers(
  reading: HistorySnapshot,
  starts: readonly number[],
  filter: ValidatorFilter,
): Promise<ReadonlyMap<number, readonly CycleMember[]>> {
  const complaints = groupBy(
    await findComplaintsOf(reading, starts),
    ({ cycleStart, row }) => `${cycleStart} ${row.validatorKey}`,
  );
  const found = new Map<number, CycleMember[]>(starts.map((start) => [start, []]));
  for (const raw of await reading.query(cycleMembersSql(starts, filter))) {
    const row = readRow(validatorTables.members, raw);
    const start = int53.read(columnOf(raw, "cycle_start"));
    found.get(start)?.push({
      row,
      holder: nullable(address).read(columnOf(raw, "holder")),
      maxFactor: nullable(int53).read(columnOf(raw, "max_factor")),
      complaints: complaints.get(`${start} ${row.validatorKey}`) ?? [],
    });
  }
  return found;
}
