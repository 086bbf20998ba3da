import type { Clock } from "../../lib/clock.ts";
import { parseHash } from "../../model/Hash.ts";
import { HistoryError } from "../errors.ts";
import { scopeFact } from "../scope/storedScope.ts";
import type { Database, SqlSession } from "../store/Database.ts";
import { listSegments } from "../store/schema/checkpoint.ts";
import { beginsFact, findFact, networkFact } from "../store/schema/indexFacts.ts";
import { listMissing, type MissingPart } from "../store/schema/missingParts.ts";
import type { Table } from "../store/schema/Table.ts";
import { listPartitions } from "./bulkTables.ts";
import { exportedTables, type IndexManifest, type SnapshotFile, tableLayout, writeManifest } from "./IndexManifest.ts";
import { getMasterBlock } from "./masterBlocks.ts";
import { type TextPiece, writeSnapshotFile } from "./snapshotFiles.ts";

export interface ExportOptions {
  /** Characters of text after which the next file begins; 256 Mi by default. */
  readonly fileLength?: number;
  /** Rows that are fetched at a time; 1,000 by default. */
  readonly fetchedRows?: number;
  readonly onFile?: (file: SnapshotFile) => void;
}

/**
 * Writes an index into an empty folder: a file or more for each table and partition, and a manifest. All files show one
 * state of the index. Rows are in the order of their first columns, so that an importer writes rows of one account next
 * to each other.
 */
export function exportIndex(
  { database, clock }: { readonly database: Pick<Database, "read">; readonly clock: Clock },
  folder: string,
  { fileLength = 2 ** 28, fetchedRows = 1000, onFile = () => {} }: ExportOptions = {},
): Promise<IndexManifest> {
  return database.read(async (session) => {
    const head = await readHead(session, clock);
    const files: SnapshotFile[] = [];
    for (const [name, table] of exportedTables) {
      const partitions = await listPartitions(session, name);
      for (const partition of partitions.length === 0 ? [undefined] : partitions) {
        for await (const file of writeTable(session, { folder, fileLength, fetchedRows, table, partition })) {
          files.push(file);
          onFile(file);
        }
      }
    }
    const manifest = { ...head, files };
    await writeManifest(folder, manifest);
    return manifest;
  });
}

async function readHead(session: SqlSession, clock: Clock): Promise<Omit<IndexManifest, "files">> {
  const network = await findFact(session, networkFact);
  const stored = await listSegments(session);
  if (network === undefined || stored.length === 0)
    throw new HistoryError("history/snapshot", "the index is empty and cannot be exported");
  const begins = await findFact(session, beginsFact);
  const segments: IndexManifest["segments"][number][] = [];
  for (const { firstSeqno, nextSeqno } of stored) {
    const firstBlock = await getMasterBlock(session, Math.max(firstSeqno, Number(begins ?? 0)));
    segments.push({ firstSeqno, nextSeqno, firstBlock, lastBlock: await getMasterBlock(session, nextSeqno - 1) });
  }
  return {
    format: "tongate-index/1",
    network: parseHash(network),
    layout: parseHash(tableLayout()),
    madeAt: Math.floor(clock.now() / 1_000),
    historyBegins: begins === undefined ? undefined : Number(begins),
    withoutValidators: await findMissing(session, "validators"),
    withoutPools: await findMissing(session, "pools"),
    scope: await findFact(session, scopeFact),
    segments,
  };
}

async function findMissing(session: SqlSession, part: MissingPart): Promise<IndexManifest["withoutPools"]> {
  const missing = await listMissing(session, part);
  return missing.length === 0 ? undefined : missing;
}

interface TablePart {
  readonly folder: string;
  readonly fileLength: number;
  readonly fetchedRows: number;
  readonly table: Table;
  readonly partition: number | undefined;
}

/** Writes the rows of a table or partition into files of bounded length; a table without rows has no file. */
async function* writeTable(session: SqlSession, what: TablePart): AsyncGenerator<SnapshotFile, void, void> {
  const { folder, fileLength, fetchedRows, table, partition } = what;
  const source = partition === undefined ? table.name : `${table.name}_p${partition}`;
  // Five columns identify a row in every table, so that equal rows give equal files.
  const order = table.names.slice(0, 5).map((name) => `t."${name}"`);
  await session.run(
    `declare exported no scroll cursor for select ${lineOf(table)} as line from ${source} t order by ${order.join(", ")}`,
  );
  let piece = await fetchPiece(session, fetchedRows);
  async function* untilFull(): AsyncGenerator<TextPiece, void, void> {
    for (let length = 0; piece.rows > 0 && length < fileLength; piece = await fetchPiece(session, fetchedRows)) {
      length += piece.text.length;
      yield piece;
    }
  }
  for (let part = 0; piece.rows > 0; part++)
    yield await writeSnapshotFile(folder, { table: table.name, partition, part }, untilFull());
  await session.run("close exported");
}

async function fetchPiece(session: SqlSession, fetchedRows: number): Promise<TextPiece> {
  const rows = await session.query(`fetch ${fetchedRows} from exported`);
  return { text: rows.map(({ line }) => `${line}\n`).join(""), rows: rows.length };
}

/** A row as one line of COPY's text format, made by the database. */
function lineOf(table: Table): string {
  return table.listed.map(({ name, column }) => fieldOf(`t."${name}"`, column.sql)).join(" || chr(9) || ");
}

/** Characters with a meaning in a line, each with its escape. */
const escapes = [
  ["'\\'", "'\\\\'"],
  ["chr(10)", "'\\n'"],
  ["chr(13)", "'\\r'"],
  ["chr(9)", "'\\t'"],
] as const;

function fieldOf(value: string, type: string): string {
  if (type === "bytea") return `coalesce('\\\\x' || encode(${value}, 'hex'), '\\N')`;
  const escaped = escapes.reduce((text, [from, to]) => `replace(${text}, ${from}, ${to})`, `${value}::text`);
  return `coalesce(${escaped}, '\\N')`;
}
