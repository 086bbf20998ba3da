import type { Address } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { SqlRow } from "../../store/Database.ts";
import { address, hash, int8s, int53, nullable } from "../../store/schema/columns.ts";
import { readRow, selectList } from "../../store/schema/Table.ts";
import { type ValidatorRow, validatorTables } from "../../store/schema/validatorTables.ts";
import type { HistorySnapshot } from "../kit/History.ts";
import { by, columnOf, type Direction, listSql, type Order, type Page } from "../kit/Page.ts";
import { inTimes, type Times } from "../kit/ranges.ts";
import { listQuery } from "../kit/readPage.ts";
import { type Condition, ifSet, Params, type Statement } from "../kit/Statement.ts";
import type { ValidatorFilter } from "./events.ts";

/** Times are those of the complaints. */
export interface ComplaintFilter extends ValidatorFilter, Times {
  readonly cycleStart?: number | undefined;
  readonly electionId?: number | undefined;
}

/** A complaint with the cycle that it is about, and the accused in it. */
export interface FullComplaint {
  readonly row: ValidatorRow<"complaints">;
  readonly cycleStart: number;
  readonly adnlAddress: Hash | undefined;
  readonly holder: Address | undefined;
}

/** Who took part in the election of the cycle `c` with the key of `of`; the newest one, where there are several. */
export function participantOf(of: string): string {
  return `lateral (
      select p.stake_holder, p.max_factor from validator_participants p
      where p.election_id = c.election_id and p.validator_key = ${of}.validator_key
      order by p.mc_seqno desc, p.stake_holder limit 1
    ) p on true`;
}

/** The holder of a member `m`, whose stake `participantOf` names: the elector tells it of all that it elected. */
export const holderOf = "coalesce(p.stake_holder, m.stake_holder)";

const selected = `${selectList(validatorTables.complaints, "t")}, c.cycle_start, m.adnl_address as member_adnl,
    ${holderOf} as holder`;
/** A complaint is listed when the cycle of its election is known. */
const from = `validator_complaints t
    join validator_cycles c on c.election_id = t.election_id
    left join validator_members m on m.set_hash = c.set_hash and m.validator_key = t.validator_key
    left join ${participantOf("t")}`;

function orderOf(sort: Direction): Order {
  return [by("t.created_at", int53, sort), by("t.complaint_hash", hash, "asc"), by("t.election_id", int53, "asc")];
}

/** Conditions on the accused; by their keys an index finds the complaints. */
function accusedIs(params: Params, { adnlAddress, holder }: ValidatorFilter): readonly Condition[] {
  return [
    ifSet(adnlAddress, (value) => {
      const adnl = params.of(hash, value);
      const keys = `select k.validator_key from validator_members k where k.adnl_address = ${adnl}`;
      return `t.validator_key in (${keys}) and m.adnl_address = ${adnl}`;
    }),
    ifSet(holder, (value) => {
      const of = params.of(address, value);
      const keys = ["validator_members", "validator_participants"].map(
        (table) => `select k.validator_key from ${table} k where k.stake_holder = ${of}`,
      );
      return `t.validator_key in (${keys.join(" union ")}) and ${holderOf} = ${of}`;
    }),
  ];
}

export function complaintsSql(filter: ComplaintFilter, page: Page, sort: Direction): Statement {
  const params = new Params();
  return listSql(params, {
    select: selected,
    from,
    where: [
      ifSet(filter.cycleStart, (value) => `c.cycle_start = ${params.of(int53, value)}`),
      ifSet(filter.electionId, (value) => `t.election_id = ${params.of(int53, value)}`),
      ifSet(filter.key, (value) => `t.validator_key = ${params.of(hash, value)}`),
      ...accusedIs(params, filter),
      ...inTimes(params, "t.created_at", filter),
    ],
    order: orderOf(sort),
    page,
  });
}

/** Complaints about cycles. */
export const listComplaints = listQuery(complaintsSql, orderOf, readComplaint);

export function complaintsOfSql(cycleStarts: readonly number[]): Statement {
  const params = new Params();
  return params.statement(`
    select ${selected} from ${from} where c.cycle_start = any(${params.of(int8s, cycleStarts.map(BigInt))})
    order by t.created_at desc, t.complaint_hash, t.election_id`);
}

/** All complaints about these cycles, the newest first. */
export async function findComplaintsOf(
  reading: HistorySnapshot,
  cycleStarts: readonly number[],
): Promise<readonly FullComplaint[]> {
  return (await reading.query(complaintsOfSql(cycleStarts))).map(readComplaint);
}

function readComplaint(row: SqlRow): FullComplaint {
  return {
    row: readRow(validatorTables.complaints, row),
    cycleStart: int53.read(columnOf(row, "cycle_start")),
    adnlAddress: nullable(hash).read(columnOf(row, "member_adnl")),
    holder: nullable(address).read(columnOf(row, "holder")),
  };
}
