import { type TakenFolder, takeFolder } from "../../../src/lib/files/folderLock.ts";

/** A process that takes a folder when it is told to, and releases it when it is told to. */
let held: TakenFolder | undefined;

async function act(order: string): Promise<string> {
  if (order === "release") {
    held?.release();
    held = undefined;
    return "released";
  }
  const lock = await takeFolder(order);
  if (lock.kind === "taken") held = lock;
  return lock.kind;
}

process.on("message", (order: string) => void act(order).then((done) => process.send?.(done)));
