import type { JsonObject } from "../../lib/json.ts";
import { columnOf } from "../queries/kit/Page.ts";
import { Params, type Statement } from "../queries/kit/Statement.ts";
import type { Database } from "../store/Database.ts";
import { address, addresses, type Column, int4, json, nullable, text, texts } from "../store/schema/columns.ts";
import { addressMetadata } from "../store/schema/serviceTables.ts";
import type { DocumentType } from "./mergeMetadata.ts";
import type { ResolvedRow } from "./resolveOutcome.ts";
import type { MetadataRow, Subject, TokenKey } from "./Subject.ts";

/** On-chain content of tokens and results of earlier attempts; unknown tokens are left out. */
export async function loadSubjects(
  database: Pick<Database, "query">,
  keys: readonly TokenKey[],
): Promise<readonly Subject[]> {
  const params = new Params();
  const wanted = `select unnest(${params.of(
    addresses,
    keys.map((key) => key.address),
  )}) as address, unnest(${params.of(
    texts,
    keys.map((key) => key.type),
  )}) as type`;
  const { text: sql, params: values } = params.statement(`
    with wanted as (${wanted}), found as (
      select w.address, w.type, t.jetton_content as content from wanted w join jetton_masters t using (address)
        where w.type = 'jetton_masters'
      union all select w.address, w.type, t.collection_content from wanted w join nft_collections t using (address)
        where w.type = 'nft_collections'
      union all select w.address, w.type, t.content from wanted w join nft_items t using (address)
        where w.type = 'nft_items'
    )
    select f.address, f.type, f.content, coalesce(m.attempts, 0) as attempts, coalesce(m.valid, false) as was_valid
    from found f left join address_metadata m using (address, type)`);
  const rows = await database.query(sql, values);
  return rows.map((row) => ({
    address: address.read(columnOf(row, "address")),
    type: text<DocumentType>().read(columnOf(row, "type")),
    content: nullable(json<JsonObject>()).read(columnOf(row, "content")) ?? {},
    attempts: int4.read(columnOf(row, "attempts")),
    wasValid: columnOf(row, "was_valid") === true,
  }));
}

/**
 * Claims rows whose next attempt or refresh is due: another process finds them due only when this one has not finished
 * by then.
 */
export async function takeDue(
  database: Pick<Database, "write">,
  due: { readonly now: number; readonly takenUntil: number; readonly max: number },
): Promise<readonly TokenKey[]> {
  const rows = await database.write((session) =>
    session.query(
      `update address_metadata m set next_attempt_at = $2::bigint, expires_at = null
       from (
         select address, type from address_metadata
         where next_attempt_at <= $1::bigint or expires_at <= $1::bigint
         order by coalesce(next_attempt_at, expires_at) limit $3::int for update skip locked
       ) due
       where m.address = due.address and m.type = due.type
       returning m.address, m.type`,
      [due.now, due.takenUntil, due.max],
    ),
  );
  return rows.map((row) => ({
    address: address.read(columnOf(row, "address")),
    type: text<DocumentType>().read(columnOf(row, "type")),
  }));
}

/** Writes the results of attempts. */
export async function storeResolved(database: Pick<Database, "write">, all: readonly ResolvedRow[]): Promise<void> {
  if (all.length === 0) return;
  await database.write(async (session) => {
    for (const resolved of all) {
      const { text: sql, params } = resolved.kind === "replaced" ? upsert(resolved.row) : touch(resolved.row);
      await session.query(sql, params);
    }
  });
}

function touch(row: Extract<ResolvedRow, { kind: "kept" }>["row"]): Statement {
  const { columns } = addressMetadata;
  const params = new Params();
  const times = [
    `expires_at = ${params.of(columns.expiresAt, row.expiresAt)}`,
    `attempts = ${params.of(columns.attempts, row.attempts)}`,
    `next_attempt_at = ${params.of(columns.nextAttemptAt, row.nextAttemptAt)}`,
  ];
  const key = `address = ${params.of(columns.address, row.address)} and type = ${params.of(columns.type, row.type)}`;
  return params.statement(`update address_metadata set ${times.join(", ")} where ${key}`);
}

function upsert(row: MetadataRow): Statement {
  const { listed, names } = addressMetadata;
  const params = new Params();
  const values = row as Readonly<Record<string, unknown>>;
  // A row and its columns have the same types.
  const places = listed.map(({ key, column }) => params.of(column as Column<unknown>, values[key]));
  const updates = names.slice(2).map((name) => `"${name}" = excluded."${name}"`);
  return params.statement(
    `insert into address_metadata (${names.map((name) => `"${name}"`).join(", ")}) values (${places.join(", ")})
     on conflict (address, type) do update set ${updates.join(", ")}`,
  );
}
