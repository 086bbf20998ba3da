import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { address, hash, hashes, int4, int8, int53, nullable } from "../store/columns.ts";
import type { FullMessage } from "./fill/FullTransaction.ts";
import { messageColumns, messageContentJoins, readMessage } from "./fill/fillTransactions.ts";
import { sameBody } from "./fill/sameBody.ts";
import type { HistorySnapshot } from "./History.ts";
import {
  by,
  byFirstBytes,
  columnOf,
  type Direction,
  inAlias,
  type ListPage,
  type ListStatement,
  listed,
  listSql,
  orderBy,
  type Page,
} from "./kit/Page.ts";
import { boundedLt } from "./kit/ranges.ts";
import { type Condition, ifAny, ifSet, Params, type Statement } from "./kit/Statement.ts";

export interface MessageFilter {
  /** By hash or normalized hash. */
  readonly hashes: readonly Hash[];
  readonly bodyHash?: Hash | undefined;
  /** Null selects messages without one. */
  readonly source?: Address | null | undefined;
  readonly destination?: Address | null | undefined;
  readonly opcode?: number | undefined;
  readonly startUtime?: number | undefined;
  readonly endUtime?: number | undefined;
  readonly startLt?: bigint | undefined;
  readonly endLt?: bigint | undefined;
  /** Only received, or only sent messages. */
  readonly direction?: "in" | "out" | undefined;
  /** Without external messages. */
  readonly excludeExternals?: boolean;
  /** Only external messages. */
  readonly onlyExternals?: boolean;
}

/** A message and the transactions that sent and received it, as far as indexed and requested. */
export interface MessageBetween {
  readonly message: FullMessage;
  readonly receivedBy: Hash | undefined;
  readonly sentBy: Hash | undefined;
}

const isByTime = ({ startUtime, endUtime }: MessageFilter) => startUtime !== undefined || endUtime !== undefined;

function orderOf(filter: MessageFilter, sort: Direction) {
  const first = isByTime(filter) ? by("m.created_at", nullable(int53), sort) : by("m.created_lt", nullable(int8), sort);
  return [first, byFirstBytes("m.hash", hash, sort)];
}

function sideCondition(params: Params, name: string, side: Address | null | undefined): Condition {
  if (side === undefined) return undefined;
  return side === null ? `m.${name} is null` : `m.${name} = ${params.of(address, side)}`;
}

const directions = {
  in: "exists (select 1 from transactions t where t.in_msg_hash = m.hash)",
  out: "m.out_tx_hash is not null",
} as const;

function messagesList(params: Params, filter: MessageFilter, page: Page, sort: Direction): ListStatement {
  const key = isByTime(filter) ? "m.created_at" : "m.created_lt";
  return {
    select: messageColumns,
    from: `messages m ${messageContentJoins}`,
    where: [
      ifAny(filter.hashes, (values) => {
        const list = params.of(hashes, values);
        return `(m.hash = any(${list}) or m.hash_norm = any(${list}))`;
      }),
      ifSet(filter.bodyHash, (value) => sameBody(params, value)),
      sideCondition(params, "source", filter.source),
      // External messages are not created on the chain: repeated as a condition, so that the time index applies.
      filter.source === null ? `${key} is null` : undefined,
      sideCondition(params, "destination", filter.destination),
      ifSet(filter.opcode, (value) => `m.opcode = ${params.of(int4, value)}`),
      ifSet(filter.startUtime, (value) => `m.created_at >= ${params.of(int53, value)}`),
      ifSet(filter.endUtime, (value) => `m.created_at <= ${params.of(int53, value)}`),
      ifSet(filter.startLt, (value) => `m.created_lt >= ${params.of(int8, boundedLt(value))}`),
      ifSet(filter.endLt, (value) => `m.created_lt <= ${params.of(int8, boundedLt(value))}`),
      ifSet(filter.direction, (value) => directions[value]),
      filter.excludeExternals === true ? `${key} is not null` : undefined,
      filter.onlyExternals === true ? "m.created_lt is null" : undefined,
    ],
    order: orderOf(filter, sort),
    page,
    nullColumn: filter.destination === null ? "m.destination" : undefined,
  };
}

export function messagesSql(filter: MessageFilter, page: Page, sort: Direction): Statement {
  const params = new Params();
  const list = messagesList(params, filter, page, sort);
  return page.offset === 0 ? listSql(params, list) : keysFirst(params, list);
}

/** Rows before the page are skipped without their contents: a thousand of them cost as much as one message. */
function keysFirst(params: Params, list: ListStatement): Statement {
  const names = [...new Set(["lt", "hash", ...list.order.map(({ name }) => name)])];
  const select = names.map((name) => `m."${name}"`).join(", ");
  const keys = listSql(params, { ...list, select, from: "messages m" });
  return params.statement(`
    select ${messageColumns} from (${keys.text}) p
    join messages m on m.lt = p.lt and m.hash = p.hash ${messageContentJoins}
    ${orderBy(inAlias("p", list.order))}`);
}

/** Messages, each once. */
export async function listMessages(
  reading: HistorySnapshot,
  filter: MessageFilter,
  page: Page,
  sort: Direction,
): Promise<ListPage<MessageBetween>> {
  const rows = await reading.query(messagesSql(filter, page, sort));
  const { items, next } = listed(rows, { order: orderOf(filter, sort), page }, readMessage);
  const receivers = filter.direction === "out" ? new Map<Hash, Hash>() : await findReceivers(reading, items);
  return {
    items: items.map((message) => ({
      message,
      receivedBy: receivers.get(message.row.hash),
      sentBy: filter.direction === "in" ? undefined : message.row.outTxHash,
    })),
    next,
  };
}

export function receiversSql(received: readonly Hash[]): Statement {
  const params = new Params();
  return params.lookup(`
    select t.in_msg_hash, t.hash, t.lt from transactions t
    where t.in_msg_hash = any(${params.of(hashes, received)})
    order by t.lt desc`);
}

/** An external message may have several receivers: the first one counts. */
async function findReceivers(
  reading: HistorySnapshot,
  found: readonly FullMessage[],
): Promise<ReadonlyMap<Hash, Hash>> {
  if (found.length === 0) return new Map();
  const rows = await reading.query(receiversSql(found.map(({ row }) => row.hash)));
  return new Map(rows.map((row) => [hash.read(columnOf(row, "in_msg_hash")), hash.read(columnOf(row, "hash"))]));
}
