import { isDeepStrictEqual } from "node:util";
import { throwIfAborted } from "../../lib/deadline.ts";
import type { Random } from "../../lib/random.ts";
import type { Hash } from "../../model/Hash.ts";
import { listSegments } from "../store/checkpoint.ts";
import type { SqlParam, SqlSession } from "../store/Database.ts";
import { type Columns, type Row, readRow, selectList, type Table } from "../store/Table.ts";
import * as tables from "../store/tables.ts";
import type { DecodedBatch } from "./Batch.ts";
import { decodeBatch } from "./decode.ts";
import { addressList } from "./KnownEntities.ts";
import type { BlockSource } from "./source.ts";
import { hashList } from "./storedTraces.ts";

/** A row that is not what its block says. */
export interface Difference {
  readonly kind: "missing" | "unexpected" | "different";
  readonly table: string;
  /** The masterchain block. */
  readonly mcSeqno: number;
  readonly key: string;
  /** Columns that differ. */
  readonly columns: readonly string[];
}

export interface VerifyReport {
  readonly blocks: readonly number[];
  readonly rows: number;
  readonly differences: readonly Difference[];
}

export interface VerifyModules {
  readonly source: Pick<BlockSource, "batches">;
  readonly database: Pick<SqlSession, "query">;
  readonly random: Random;
}

/** Fetches some masterchain blocks of the index again, proved, and compares all their rows with what they say. */
export async function verifySample(modules: VerifyModules, count: number, signal: AbortSignal): Promise<VerifyReport> {
  const blocks = await chooseBlocks(modules, count);
  const differences: Difference[] = [];
  let rows = 0;
  for (const mcSeqno of blocks) {
    throwIfAborted(signal);
    for await (const batch of modules.source.batches({ from: mcSeqno, to: mcSeqno }, signal)) {
      const comparison = new Comparison(modules.database, decodeBatch(batch));
      await comparison.run();
      rows += comparison.rows;
      differences.push(...comparison.differences);
    }
  }
  return { blocks, rows, differences };
}

async function chooseBlocks({ database, random }: VerifyModules, count: number): Promise<readonly number[]> {
  const segments = await listSegments(database);
  const total = segments.reduce((sum, { firstSeqno, nextSeqno }) => sum + nextSeqno - firstSeqno, 0);
  if (total <= count)
    return segments.flatMap(({ firstSeqno, nextSeqno }) =>
      Array.from({ length: nextSeqno - firstSeqno }, (_, index) => firstSeqno + index),
    );
  const chosen = new Set<number>();
  while (chosen.size < count) {
    let at = random.int(total);
    for (const { firstSeqno, nextSeqno } of segments) {
      if (at >= 0 && at < nextSeqno - firstSeqno) chosen.add(firstSeqno + at);
      at -= nextSeqno - firstSeqno;
    }
  }
  return [...chosen].sort((a, b) => a - b);
}

/** What of a table belongs to a block, and how its rows are told apart. */
interface Compared<C extends Columns> {
  readonly table: Table<C>;
  readonly where: string;
  readonly params: readonly SqlParam[];
  keyOf(row: Row<Table<C>>): string;
  /** Columns that the block alone does not settle. */
  readonly ignored?: readonly (keyof C & string)[];
  /** Whether a column that the block leaves open may hold something. */
  readonly mayGain?: boolean;
}

class Comparison {
  readonly differences: Difference[] = [];
  rows = 0;
  readonly #database: Pick<SqlSession, "query">;
  readonly #decoded: DecodedBatch;

  constructor(database: Pick<SqlSession, "query">, decoded: DecodedBatch) {
    this.#database = database;
    this.#decoded = decoded;
  }

  async run(): Promise<void> {
    const { rows, transactions, changed, batch } = this.#decoded;
    const ofBlock = [batch.mcSeqno];
    const { blocks, shardState, messages, messageContents } = tables;
    const shardKey = (row: { workchain: number; shard: bigint; seqno: number }) =>
      `${row.workchain}:${row.shard}:${row.seqno}`;
    await this.#compare(
      { table: blocks, where: "t.mc_block_seqno = $1", params: ofBlock, keyOf: shardKey },
      rows.blocks,
    );
    await this.#compare(
      { table: shardState, where: "t.mc_seqno = $1", params: ofBlock, keyOf: shardKey },
      rows.shardState,
    );
    await this.#compare(
      {
        table: tables.transactions,
        where: "t.mc_block_seqno = $1",
        params: ofBlock,
        keyOf: ({ hash }) => hash,
        ignored: ["traceId"],
      },
      transactions.map(({ row }) => ({ ...row, traceId: row.hash })),
    );
    const byHash = (hashes: readonly Hash[]) => ({ where: "t.hash = any($1::bytea[])", params: [hashList(hashes)] });
    const hashKey = ({ hash }: { hash: Hash }) => hash;
    const sent = byHash(rows.messages.map(hashKey));
    await this.#compare({ table: messages, ...sent, keyOf: hashKey, mayGain: true }, rows.messages);
    const contents = byHash(rows.messageContents.map(hashKey));
    await this.#compare({ table: messageContents, ...contents, keyOf: hashKey }, rows.messageContents);
    const found = await this.#database.query(
      "select t.hash from account_states t where t.account = any($1::bytea[]) and t.hash = any($2::bytea[])",
      [addressList(changed.map(({ address }) => address)), hashList(changed.map(({ stateHash }) => stateHash))],
    );
    const states = new Set(found.map((row) => tables.accountStates.columns.hash.read(row.hash ?? null)));
    for (const { address, stateHash } of changed)
      if (!states.has(stateHash)) this.#note("missing", "account_states", `${address} ${stateHash}`, []);
    this.rows += changed.length;
  }

  async #compare<C extends Columns>(compared: Compared<C>, expected: readonly Row<Table<C>>[]): Promise<void> {
    const { table, where, params, keyOf } = compared;
    const raw = await this.#database.query(
      `select ${selectList(table, "t")} from ${table.name} t where ${where}`,
      params,
    );
    const stored = new Map(raw.map((each) => readRow(table, each)).map((row) => [keyOf(row), row]));
    for (const row of expected) {
      const key = keyOf(row);
      const found = stored.get(key);
      stored.delete(key);
      this.rows++;
      if (found === undefined) this.#note("missing", table.name, key, []);
      else {
        const columns = listDifferent(compared, row, found);
        if (columns.length > 0) this.#note("different", table.name, key, columns);
      }
    }
    for (const key of stored.keys()) this.#note("unexpected", table.name, key, []);
  }

  #note(kind: Difference["kind"], table: string, key: string, columns: readonly string[]): void {
    this.differences.push({ kind, table, mcSeqno: this.#decoded.batch.mcSeqno, key, columns });
  }
}

function listDifferent<C extends Columns>(
  { table, ignored = [], mayGain = false }: Compared<C>,
  expected: Row<Table<C>>,
  found: Row<Table<C>>,
): readonly string[] {
  return Object.entries(table.columns).flatMap(([key, column]) => {
    // Both are rows of this table, and each value is that of the column of its name.
    const value = (expected as Record<string, unknown>)[key];
    const stored = (found as Record<string, unknown>)[key];
    if (ignored.includes(key) || (mayGain && value === undefined)) return [];
    if (column.sql === "jsonb") return isDeepStrictEqual(value, stored) ? [] : [key];
    return column.write(value as never) === column.write(stored as never) ? [] : [key];
  });
}
