import { parentPort, workerData } from "node:worker_threads";
import { MemoryFS, PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import type { TextRows, ThreadOrder, ThreadReply, ThreadStart } from "./protocol.ts";
import { watchLogFiles } from "./watchLogFiles.ts";

// The program of the built-in engine's thread: one session, one order at a time. Values stay text here.

const port = parentPort;
if (port === null) throw new Error("this is the program of a worker thread");
const tell = (reply: ThreadReply) => port.postMessage(reply);

/**
 * Less memory for pages than the 128 MB that the engine takes by itself, and less disk for its log. The engine does not
 * wait for the disk (its own `-F`), so that whole pages in the log would not help after a failure of the machine either.
 */
const settings = ["shared_buffers=48MB", "max_wal_size=256MB", "full_page_writes=off", "jit=off"];
const startParams = [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ["-c", setting])];

/** Numbers of all types that we have columns or parameters of; any other is text without being told. */
const types = [16, 17, 20, 21, 23, 25, 26, 114, 199, 700, 701, 1000, 1001, 1005, 1007, 1009, 1015, 1016, 1021, 1022];
const moreTypes = [1028, 1043, 1082, 1114, 1184, 1231, 1700, 3802, 3807];
const asText = Object.fromEntries([...types, ...moreTypes].map((type) => [type, (value: string) => value]));

/**
 * Files in a folder, by which the engine takes itself to be in memory: then it makes them where they are to be, instead
 * of making them in memory, packing them there and unpacking the pack.
 */
function filesToMake(folder: string): MemoryFS {
  const inFolder = new NodeFS(folder);
  const files = new MemoryFS();
  files.init = (...given) => inFolder.init(...given);
  files.closeFs = () => inFolder.closeFs();
  return files;
}

/** While the files are made, as few pages as will do: each of several runs takes its own. */
const makingParams = ["-c", "shared_buffers=4MB"];

function openEngine({ engine: { module, memoryBytes }, folder, files }: ThreadStart): Promise<PGlite> {
  return PGlite.create({
    ...(files === "made" ? { dataDir: folder } : { fs: filesToMake(folder), initDbStartParams: makingParams }),
    ...(memoryBytes !== undefined && { initialMemory: memoryBytes }),
    pgliteWasmModule: module,
    startParams,
  });
}

watchLogFiles((error) => {
  tell({ kind: "broken", code: "ENOSPC", message: error.message });
  process.exit(1);
});
const engine = await openEngine(workerData as ThreadStart);

async function obey(order: ThreadOrder): Promise<TextRows | undefined> {
  switch (order.kind) {
    case "query":
      return query(order.sql, order.params);
    case "run":
      await engine.exec(order.sql);
      return undefined;
    case "copy":
      await engine.query(order.sql, [], { blob: new Blob([order.bytes]) });
      return undefined;
    case "close":
      await engine.close();
      return undefined;
  }
}

async function query(sql: string, params: readonly (string | null)[]): Promise<TextRows> {
  const found = await engine.query<(string | null)[]>(sql, [...params], {
    rowMode: "array",
    parsers: asText,
    serializers: asText,
  });
  return { columns: found.fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })), rows: found.rows };
}

port.on("message", (order: ThreadOrder) => {
  obey(order).then(
    (found) => tell({ kind: "done", found }),
    (error) => tell({ kind: "failed", code: error?.code, message: String(error?.message ?? error) }),
  );
});
tell({ kind: "ready" });
