import { join } from "node:path";
import type { FileSystem } from "../../lib/files/FileSystem.ts";
import { chainFiles } from "./chainFiles.ts";

/** Why no chain can begin in a folder without a header: it has the remains of another one. */
export function findRemains(folder: string, files: FileSystem): string | undefined {
  const { header, blocks, states, head } = chainFiles;
  const found = [blocks, states, head].find((name) => files.exists(join(folder, name)));
  if (found === undefined) return undefined;
  return `${folder} has ${found} but no ${header} that describes their chain`;
}
