import { describeHolder, findFolderHolder, takeFolder } from "../../lib/files/folderLock.ts";
import { LocalnetError } from "../errors.ts";

/** The lock of a chain's folder. */
export interface ChainLock {
  /** Refuses once another process has taken the folder. */
  check(): void;
  release(): void;
}

/** Locks a folder; refuses while another process has it. */
export async function lockFolder(folder: string): Promise<ChainLock> {
  const taken = await takeFolder(folder);
  if (taken.kind === "held") {
    const { pid } = taken.holder;
    const message = `${folder} is in use by ${describeHolder(taken.holder)}`;
    throw new LocalnetError("localnet/locked", message, { data: pid === undefined ? {} : { pid } });
  }
  const check = (): void => {
    if (taken.isHeld()) return;
    const reason = "this process did not respond for too long, and another one took the folder over";
    throw new LocalnetError("localnet/locked", `${folder} is no longer written: ${reason}; stop this process`);
  };
  return { check, release: taken.release };
}

/** The process that holds the lock of a folder, for messages. */
export async function findLockHolder(folder: string): Promise<string | undefined> {
  const holder = await findFolderHolder(folder);
  return holder === undefined ? undefined : describeHolder(holder);
}
