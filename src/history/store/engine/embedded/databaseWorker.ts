import { parentPort, workerData } from "node:worker_threads";
import { messages, PGlite, protocol } from "@electric-sql/pglite";
import { engineOptions } from "./engineOptions.ts";
import type { TextRows, ThreadReply, ThreadRequest, ThreadStart } from "./protocol.ts";
import { watchLogFiles } from "./watchLogFiles.ts";

// The program of the built-in engine's thread: one session, one request at a time. Values stay text here.

const port = parentPort;
if (port === null) throw new Error("this file runs only as a worker thread");
const reply = (message: ThreadReply) => port.postMessage(message);

/**
 * Less memory for pages than the default of 128 MB, and less disk for the log. The engine does not sync (`-F`), so full
 * pages in the log would not help after a power failure.
 */
const settings = ["shared_buffers=32MB", "max_wal_size=256MB", "full_page_writes=off", "jit=off"];

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

async function execute(request: ThreadRequest): Promise<TextRows | undefined> {
  switch (request.kind) {
    case "query":
      return query(request.sql, request.params);
    case "run":
      await engine.execProtocolStream(protocol.serialize.query(request.sql), inMemory);
      return undefined;
    case "copy":
      await engine.query(request.sql, [], { blob: new Blob([request.bytes]) });
      return undefined;
    case "close":
      await engine.close();
      return undefined;
  }
}

/**
 * Sends a statement to the engine in one message. Its own `query` sends six, each of which runs the engine's main loop and
 * the reader of its answers, and asks for the types of parameters, which are text here.
 */
async function query(sql: string, params: readonly (string | null)[]): Promise<TextRows> {
  const { parse, bind, describe, execute: run, sync } = protocol.serialize;
  const parts = [parse({ text: sql }), bind({ values: [...params] }), describe({ type: "P" }), run({}), sync()];
  const rows: (string | null)[][] = [];
  let columns: TextRows["columns"] = [];
  for (const answer of await engine.execProtocolStream(Buffer.concat(parts), inMemory)) {
    if (answer instanceof messages.DataRowMessage) rows.push(answer.fields);
    else if (answer instanceof messages.RowDescriptionMessage)
      columns = answer.fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
  }
  return { columns, rows };
}

port.on("message", (request: ThreadRequest) => {
  execute(request).then(
    (textRows) => reply({ kind: "done", found: textRows }),
    (error) => reply({ kind: "failed", code: error?.code, message: String(error?.message ?? error) }),
  );
});
reply({ kind: "ready" });
