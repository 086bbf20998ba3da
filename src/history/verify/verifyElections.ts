import type { DecodedBatch } from "../ingest/decode/DecodedBatch.ts";
import { makeStakeEvents } from "../ingest/decode/elections/electionRows.ts";
import type { SqlParam, SqlSession } from "../store/Database.ts";
import { hashList } from "../store/schema/columns.ts";
import type { Columns, Row, Table } from "../store/schema/Table.ts";
import { validatorTables } from "../store/schema/validatorTables.ts";
import type { ProvedChain } from "./ProvedChain.ts";
import { type Compared, compareRows, joinCompared, keyOf, type RowRule, selectRows } from "./verifyRows.ts";

type Session = Pick<SqlSession, "query">;
type Rows<C extends Columns> = readonly Row<Table<C>>[];
/** A row without its types: every table here has its own. */
type AnyRow = Readonly<Record<string, unknown>>;

/** Compares the stake events of a block. */
export async function compareStakeEvents(session: Session, decoded: DecodedBatch): Promise<Compared> {
  const hashes = hashList(decoded.transactions.map(({ row }) => row.hash));
  return compareRows(
    { table: validatorTables.events },
    decoded.batch.mcSeqno,
    makeStakeEvents(decoded),
    await selectRows(session, validatorTables.events, "t.tx_hash = any($1::bytea[])", [hashes]),
  );
}

/** Compares what a block tells of elections, validator sets and complaints; later blocks may have told more. */
export async function compareElections(
  session: Session,
  chain: ProvedChain,
  { mcSeqno, isStart }: { readonly mcSeqno: number; readonly isStart: boolean },
): Promise<Compared> {
  const rows = await chain.readElections(mcSeqno, isStart);
  const { elections, participants, complaints, cycles, members } = validatorTables;
  const compare = async <C extends Columns>(
    rule: RowRule<C>,
    expected: Rows<C>,
    where: string,
    params: readonly SqlParam[],
  ): Promise<Compared> => {
    if (expected.length === 0) return { rows: 0, differences: [] };
    return compareNewest(rule, mcSeqno, expected, await selectRows(session, rule.table, where, params));
  };
  const ids = [rows.elections.map(({ electionId }) => String(electionId))];
  const starts = [rows.cycles.map(({ cycleStart }) => String(cycleStart))];
  const sets = [hashList(new Set(rows.members.map(({ setHash }) => setHash)))];
  const byElection = "t.election_id = any($1::bigint[])";
  return joinCompared([
    await compare({ table: elections }, rows.elections, byElection, ids),
    await compare({ table: participants }, rows.participants, byElection, ids),
    await compare({ table: complaints }, rows.complaints, byElection, [
      rows.complaints.map(({ electionId }) => String(electionId)),
    ]),
    await compare(
      // The first key block that knows the election is another one, and fines make stakes smaller.
      { table: cycles, ignored: ["electionSeqno", "totalStake"], mayGain: true },
      rows.cycles,
      "t.cycle_start = any($1::bigint[])",
      starts,
    ),
    await compare(
      { table: members, ignored: ["stake"], mayGain: true },
      rows.members,
      "t.set_hash = any($1::bytea[])",
      sets,
    ),
  ]);
}

/** Compares expected rows with those of the stored ones that no newer block has replaced. */
function compareNewest<C extends Columns>(
  rule: RowRule<C>,
  mcSeqno: number,
  expected: Rows<C>,
  found: Rows<C>,
): Compared {
  const stored = new Map(found.map((row) => [keyOf(rule, row), row]));
  const current = expected.filter((row) => !isNewer(stored.get(keyOf(rule, row)), row));
  const own = current.map((row) => stored.get(keyOf(rule, row))).filter((row) => row !== undefined);
  const ignored = [...(rule.ignored ?? []), ...("mcSeqno" in rule.table.columns ? ["mcSeqno"] : [])];
  return compareRows({ ...rule, ignored }, mcSeqno, current, own);
}

function isNewer(stored: unknown, row: unknown): boolean {
  return Number((stored as AnyRow | undefined)?.mcSeqno ?? 0) > Number((row as AnyRow).mcSeqno ?? 0);
}
