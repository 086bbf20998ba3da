import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
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

/** Type ids of our columns and parameters; every other type is text anyway. */
const types = [16, 17, 20, 21, 23, 25, 26, 114, 199, 700, 701, 1000, 1001, 1005, 1007, 1009, 1015, 1016, 1021, 1022];
const moreTypes = [1028, 1043, 1082, 1114, 1184, 1231, 1700, 3802, 3807];
const asText = Object.fromEntries([...types, ...moreTypes].map((type) => [type, (value: string) => value]));

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
      await engine.exec(request.sql);
      return undefined;
    case "copy":
      await engine.query(request.sql, [], { blob: new Blob([request.bytes]) });
      return undefined;
    case "close":
      await engine.close();
      return undefined;
  }
}

async function query(sql: string, params: readonly (string | null)[]): Promise<TextRows> {
  const rows = await engine.query<(string | null)[]>(sql, [...params], {
    rowMode: "array",
    parsers: asText,
    serializers: asText,
  });
  return { columns: rows.fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })), rows: rows.rows };
}

port.on("message", (request: ThreadRequest) => {
  execute(request).then(
    (textRows) => reply({ kind: "done", found: textRows }),
    (error) => reply({ kind: "failed", code: error?.code, message: String(error?.message ?? error) }),
  );
});
reply({ kind: "ready" });
