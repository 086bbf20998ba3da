import { parentPort, workerData } from "node:worker_threads";
import { PGlite, protocol } from "@electric-sql/pglite";
import { engineOptions } from "./compileEngine.ts";
import { KeptStatements } from "./KeptStatements.ts";
import type { EngineRows, EngineStatement, ThreadReply, ThreadRequest, ThreadStart } from "./protocol.ts";
import { watchLogFiles } from "./watchLogFiles.ts";
import { readAnswer } from "./wire.ts";

// The program of the built-in engine's thread: one session, one request at a time. Rows stay as the engine writes them.

const port = parentPort;
if (port === null) throw new Error("this file runs only as a worker thread");
const reply = (message: ThreadReply, handed: readonly ArrayBuffer[] = []) => port.postMessage(message, handed);

/**
 * Less memory for pages than the default of 128 MB, and less disk for the log. The engine does not sync (`-F`), so full
 * pages in the log would not help after a power failure.
 */
const settings = ["shared_buffers=32MB", "max_wal_size=256MB", "full_page_writes=off", "jit=off"];

/** Statements whose parsed form and plan are kept: those of a commit without new contracts, with room for others. */
const maxKept = 32;

/** The engine writes its files itself: nothing is to be copied to another file system. */
const inMemory = { syncToFs: false };

watchLogFiles((error) => {
  reply({ kind: "broken", code: "ENOSPC", message: error.message });
  process.exit(1);
});
const { engine: compiled, folder, maxFiles } = workerData as ThreadStart;
// The engine cannot know the limit of the process; it would keep a thousand files open.
const allSettings = [...settings, `max_files_per_process=${maxFiles}`];
const startParams = [...PGlite.defaultStartParams, ...allSettings.flatMap((setting) => ["-c", setting])];
const engine = await PGlite.create({ ...engineOptions(compiled), dataDir: folder, startParams });

const kept = new KeptStatements(maxKept);

async function answer(request: ThreadRequest): Promise<EngineRows | undefined> {
  switch (request.kind) {
    case "several": {
      let found: EngineRows | undefined;
      for (const statement of request.statements) found = await execute(statement);
      return found;
    }
    case "close":
      await engine.close();
      return undefined;
    default:
      return execute(request);
  }
}

async function execute(statement: EngineStatement): Promise<EngineRows | undefined> {
  switch (statement.kind) {
    case "query":
      return statement.isKept ? queryKept(statement.sql, statement.params) : query(statement.sql, statement.params);
    case "run":
      await ask(protocol.serialize.query(statement.sql));
      return undefined;
    case "copy":
      await engine.query(statement.sql, [], { blob: new Blob([statement.bytes]) });
      return undefined;
  }
}

/**
 * Sends a statement to the engine in one message. Its own `query` sends six, each of which runs the engine's main loop
 * and the reader of its answers, and asks for the types of parameters, which are text here.
 */
function query(sql: string, params: readonly (string | null)[]): Promise<EngineRows> {
  const { parse, bind, describe, execute: run, sync } = protocol.serialize;
  const parts = [parse({ text: sql }), bind({ values: [...params] }), describe({ type: "P" }), run({}), sync()];
  return ask(Buffer.concat(parts));
}

/** The same with a statement that the session keeps: parsing and planning take most of the time of a short one. */
async function queryKept(sql: string, params: readonly (string | null)[]): Promise<EngineRows> {
  const { parse, bind, describe, execute: run, close, sync } = protocol.serialize;
  const { name, isNew, dropped } = kept.take(sql);
  const parts = [
    ...dropped.map((old) => close({ type: "S", name: old })),
    ...(isNew ? [parse({ name, text: sql })] : []),
    ...[bind({ statement: name, values: [...params] }), describe({ type: "P" }), run({}), sync()],
  ];
  try {
    return await ask(Buffer.concat(parts));
  } catch (failure) {
    // It may not have been parsed: the next time has another name.
    if (isNew) kept.drop(sql);
    throw failure;
  }
}

/**
 * The engine's answer to messages. Its own reader of answers makes a buffer, a string and an array entry of every
 * field, and the thread that asked would get copies of all: half of the time of a large read.
 */
async function ask(message: Uint8Array): Promise<EngineRows> {
  const pieces: Uint8Array[] = [];
  // A piece is a view of memory that the engine writes to again.
  const onRawData = (piece: Uint8Array) => pieces.push(piece.slice());
  await engine.execProtocolRawStream(message, { ...inMemory, onRawData });
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  const { found, failure } = readAnswer(bytes);
  if (failure !== undefined) throw failure;
  return found;
}

port.on("message", (request: ThreadRequest) => {
  answer(request).then(
    (found) => reply({ kind: "done", found }, found === undefined ? [] : [found.bytes.buffer]),
    (error) => reply({ kind: "failed", code: error?.code, message: String(error?.message ?? error) }),
  );
});
reply({ kind: "ready" });
