import type { Address } from "../../../model/Address.ts";
import { address, hash, int4, int8, int53 } from "../../store/schema/columns.ts";
import type { HistorySnapshot } from "../kit/History.ts";
import { columnOf, type Direction, makeCursor, type Order, type Page, readCursor } from "../kit/Page.ts";
import { maxSearchedAlone } from "../kit/readPage.ts";
import { type Condition, ifSet, Params, type Statement, whereAll } from "../kit/Statement.ts";

/** What the indexes of external messages have. */
interface ExternalFilter {
  /** Null selects messages without one. */
  readonly destination?: Address | null | undefined;
  readonly opcode?: number | undefined;
}

/** External messages have no time; in the words of their indexes, which no other statement may be planned for. */
const isExternal = "case when m.created_lt is null then true else false end";

function receiverCondition(params: Params, { destination }: ExternalFilter): Condition {
  if (destination === null) return "m.destination is null";
  return ifSet(destination, (value) => `m.destination = ${params.of(address, value)}`);
}

/**
 * The hash of the external message behind so many, and how many of those have the same one: a message that was received
 * before and after a range that is not indexed yet has two rows. An opcode is searched for.
 */
export function externalBehindSql(filter: ExternalFilter, offset: number, sort: Direction): Statement {
  const params = new Params();
  const where = whereAll([receiverCondition(params, filter), isExternal]);
  const inOrder = `order by m.hash ${sort}`;
  const all = `select m.hash, m.opcode from messages m ${where} ${inOrder}`;
  const ofOpcode = ifSet(filter.opcode, (value) => {
    const searched = `${all} limit ${params.of(int8, BigInt(maxSearchedAlone))}`;
    return `select m.hash from (${searched}) m where m.opcode = ${params.of(int4, value)} ${inOrder}`;
  });
  const count = params.of(int8, BigInt(offset));
  return params.statement(`
    select k.hash, k.number - k.first as tied from (
      select m.hash, row_number() over w as number, rank() over w as first
      from (${ofOpcode ?? all} limit ${count} + 1) m window w as (${inOrder})
    ) k where k.number > ${count}`);
}

/**
 * The page behind a deep offset that was skipped as far as the external messages of a list: a cursor without a time
 * stands in front of all of them, and the rest of the offset is skipped in the index of their whole hashes. Where it
 * ends among the others, or few are left, or an opcode is too rare, the page is returned as it is.
 */
export async function skipExternals(
  reading: HistorySnapshot,
  filter: ExternalFilter,
  page: Page,
  order: Order,
): Promise<Page> {
  const { cursor, offset } = page;
  if (cursor === undefined || offset < reading.options.minResumedOffset) return page;
  if (readCursor(cursor, order)[0] !== null) return page;
  const sort = order[0]?.direction ?? "asc";
  const [row] = await reading.query(externalBehindSql(filter, offset, sort));
  if (row === undefined) return page;
  const before = nextTo(hash.read(columnOf(row, "hash")), sort);
  return { ...page, offset: int53.read(columnOf(row, "tied")), cursor: makeCursor(order, [null, before]) };
}

/** The bytes right in front of a hash in an order, without another hash in between. */
function nextTo(of: string, sort: Direction): string {
  if (sort === "desc") return `\\x${of}00`;
  const number = BigInt(`0x${of}`);
  return number === 0n ? "\\x" : `\\x${(number - 1n).toString(16).padStart(64, "0")}`;
}
