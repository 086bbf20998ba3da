import { MemoryFS, PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { compileEngine } from "./compileEngine.ts";
import { engineOptions } from "./engineOptions.ts";

// The program of a process that makes the files of a database in a folder that is there and empty, and ends.

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("no folder is named");

/**
 * Files in a folder, by which the engine takes itself to be in memory: then it makes them where they are to be, instead
 * of making them in memory, packing them there and unpacking the pack.
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
  // As few pages as will do: each of several runs takes its own. Nothing waits for the disk.
  initDbStartParams: ["-c", "shared_buffers=4MB", "--no-sync"],
});
await engine.close();
