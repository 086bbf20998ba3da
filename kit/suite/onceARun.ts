import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/**
 * Makes something that all test files of a run share, in a folder of that name. The run has a temporary folder of its
 * own, so the first that asks makes it while others wait, and the end of the run removes it.
 */
export async function onceARun(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const [folder, ready] = [join(tmpdir(), name), join(tmpdir(), `${name}.ready`)];
  while (!existsSync(ready)) {
    if (!takeFolder(folder)) {
      await setTimeout(100);
      continue;
    }
    try {
      await make(folder);
    } catch (error) {
      rmSync(folder, { recursive: true });
      throw error;
    }
    writeFileSync(ready, "");
  }
  return folder;
}

function takeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (Object(error).code === "EEXIST") return false;
    throw error;
  }
}
