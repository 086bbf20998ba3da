import { MemoryFS, PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { compileEngine, engineOptions } from "./compileEngine.ts";

// The program of a process that creates the files of a database in an existing empty folder, and ends.

const [folder, maxFiles] = process.argv.slice(2);
if (folder === undefined || maxFiles === undefined) throw new Error("the folder or the number of files is missing");

/**
 * A file system in a folder that the engine takes for memory: it then creates the files in place, instead of creating,
 * packing and unpacking them in memory.
 */
function filesIn(place: string): MemoryFS {
  const inFolder = new NodeFS(place);
  const files = new MemoryFS();
  files.init = (...given) => inFolder.init(...given);
  files.closeFs = () => inFolder.closeFs();
  return files;
}

const engine = await PGlite.create({
  ...engineOptions(await compileEngine()),
  fs: filesIn(folder),
  // As few pages as possible: each of several runs allocates its own. Nothing waits for the disk.
  initDbStartParams: ["-c", "shared_buffers=4MB", "-c", `max_files_per_process=${maxFiles}`, "--no-sync"],
});
await engine.close();
