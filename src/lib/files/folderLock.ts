import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Clock, systemClock } from "../clock.ts";
import { parseJson } from "../json.ts";
import { type Random, systemRandom } from "../random.ts";
import { storageError } from "./FileSystem.ts";
import { findFlags, flagName, formerFlag, socketName } from "./lockFlags.ts";
import { askLockSocket, listenOnLock } from "./lockSocket.ts";
import { isProcessAlive, ownSpace, type ProcessSpace } from "./processSpace.ts";

/** The process that has a folder. Its number is that of its own container or machine. */
export interface FolderHolder {
  readonly pid: number | undefined;
  /** Set if the number means nothing here. */
  readonly elsewhere: string | undefined;
}

/** A folder that is ours until `release`. */
export interface TakenFolder {
  readonly kind: "taken";
  /** Whether it is still ours: another machine takes the folder of a process that was silent for too long. */
  isHeld(): boolean;
  release(): void;
}

/** The result of locking a folder. */
export type FolderLock = TakenFolder | { readonly kind: "held"; readonly holder: FolderHolder };

export interface LockModules {
  readonly clock: Clock;
  readonly random: Random;
  /** Where this process runs. */
  readonly space: ProcessSpace;
  /** Whether the folder's file system has sockets; found out by default. */
  readonly hasSockets?: boolean;
}

const systemModules: LockModules = { clock: systemClock, random: systemRandom, space: ownSpace() };

/** How often a holder shows that it lives, and how long a holder on another machine may be silent. */
const beatMs = 2_000;
const silentMs = 7_000;
/** How long two that want the folder at the same moment wait for one another. */
const lookMs = 5;
const patienceMs = 5_000;

/**
 * Locks a folder against all processes that see it, also those of other containers and machines.
 *
 * Each process that wants it first shows a flag, a file of its own name, then looks at the flags of others, and takes
 * the folder only if none of them lives. Of two, the later one sees the flag of the other, so never both take it,
 * however many race. Whether a process lives is known by its socket beside the flag: the system answers for it across
 * containers and closes it with the process. Where sockets do not reach, on another machine or some file systems, its
 * heartbeat tells: the time of the flag changes.
 */
export async function takeFolder(folder: string, modules: LockModules = systemModules): Promise<FolderLock> {
  const flag = await showFlag(folder, modules);
  try {
    const rival = await findRival(folder, flag.token, modules);
    if (rival === undefined) {
      flag.own();
      return { kind: "taken", isHeld: flag.isShown, release: flag.lower };
    }
    flag.lower();
    return { kind: "held", holder: rival };
  } catch (error) {
    flag.lower();
    throw error;
  }
}

/** The process that has a folder. */
export async function findFolderHolder(
  folder: string,
  modules: LockModules = systemModules,
): Promise<FolderHolder | undefined> {
  for (const token of findFlags(folder)) {
    const state = await judge(folder, token, modules);
    if (state.kind !== "gone") return state.holder;
  }
  return findFormer(folder);
}

/** The holder for an error message: "process 12", with its place if that is not here. */
export function describeHolder({ pid, elsewhere }: FolderHolder): string {
  const name = pid === undefined ? "another process" : `process ${pid}`;
  return elsewhere === undefined ? name : `${name} of another container or machine (${elsewhere})`;
}

interface Flag {
  readonly token: string;
  /** Says from now on that the folder is taken. */
  own(): void;
  isShown(): boolean;
  lower(): void;
}

async function showFlag(folder: string, modules: LockModules): Promise<Flag> {
  const { clock, random, space } = modules;
  const token = Buffer.from(random.bytes(8)).toString("hex");
  const path = join(folder, flagName(token));
  // First the socket: a flag that is seen has one.
  const socket = modules.hasSockets === false ? undefined : await listenOnLock(folder, socketName(token));
  const lower = (): void => {
    cancelBeat();
    rmSync(path, { force: true });
    socket?.close();
  };
  let cancelBeat = (): void => {};
  try {
    writeFileSync(`${path}.new`, `${JSON.stringify({ ...space, hasSocket: socket !== undefined })}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch (error) {
    rmSync(`${path}.new`, { force: true });
    lower();
    throw storageError("write", path, error);
  }
  const isShown = (): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;
  const beat = (): void => {
    cancelBeat = clock.timer(beatMs, () => {
      if (!isShown()) return;
      const seconds = clock.now() / 1_000;
      utimesSync(path, seconds, seconds);
      beat();
    });
  };
  beat();
  return { token, own: () => socket?.own(), isShown, lower };
}

/** Another process that has the folder, or is to have it; flags of processes that are gone are removed. */
async function findRival(folder: string, token: string, modules: LockModules): Promise<FolderHolder | undefined> {
  const gone: string[] = [];
  for (const other of findFlags(folder)) {
    if (other === token) continue;
    const holder = await outlast(folder, token, other, modules);
    if (holder !== undefined) return holder;
    gone.push(other);
  }
  const former = findFormer(folder);
  if (former !== undefined) return former;
  // Names are never used twice, so these cannot be flags of the living.
  for (const other of gone) {
    rmSync(join(folder, flagName(other)), { force: true });
    rmSync(join(folder, socketName(other)), { force: true });
  }
  rmSync(join(folder, formerFlag), { force: true });
  return undefined;
}

/** Of two that want the folder at the same moment the smaller name waits until the other has left or has it. */
async function outlast(
  folder: string,
  token: string,
  other: string,
  modules: LockModules,
): Promise<FolderHolder | undefined> {
  const until = modules.clock.monotonic() + patienceMs;
  for (;;) {
    const state = await judge(folder, other, modules);
    if (state.kind === "gone") return undefined;
    if (state.kind === "owner" || other < token || modules.clock.monotonic() > until) return state.holder;
    await modules.clock.sleep(lookMs);
  }
}

type FlagState = { readonly kind: "gone" } | { readonly kind: "owner" | "candidate"; readonly holder: FolderHolder };

async function judge(folder: string, token: string, modules: LockModules): Promise<FlagState> {
  const path = join(folder, flagName(token));
  const shown = readFlag(path);
  if (shown === undefined) return { kind: "gone" };
  const { space } = modules;
  const isSamePlace = shown.boot === space.boot && shown.pids === space.pids;
  const holder = { pid: shown.pid, elsewhere: isSamePlace ? undefined : shown.host };
  if (shown.boot === space.boot && shown.hasSocket) {
    const answer = await askLockSocket(folder, socketName(token), modules.clock);
    return answer === "gone" ? { kind: "gone" } : { kind: answer, holder };
  }
  const isAlive = isSamePlace ? isProcessAlive(shown) : await isBeating(path, modules.clock);
  return isAlive ? { kind: "owner", holder } : { kind: "gone" };
}

/** Clocks of machines differ, so the time of the flag is compared with itself only. */
async function isBeating(path: string, clock: Clock): Promise<boolean> {
  const timeOf = (): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const first = timeOf();
  for (let waitedMs = 0; waitedMs < silentMs; waitedMs += beatMs / 2) {
    await clock.sleep(beatMs / 2);
    const next = timeOf();
    if (next === undefined) return false;
    if (next !== first) return true;
  }
  return false;
}

/** What a flag says of its process; of a damaged one nothing is known. */
function readFlag(path: string): (ProcessSpace & { readonly hasSocket: boolean }) | undefined {
  const text = findText(path);
  if (text === undefined) return undefined;
  try {
    const { pid, startedAt, boot, pids, host, hasSocket } = Object(parseJson(text));
    return {
      ...{ pid: Number(pid), startedAt: String(startedAt), boot: String(boot) },
      ...{ pids: String(pids), host: String(host), hasSocket: hasSocket !== false },
    };
  } catch {
    // Flags appear whole, so this one was damaged later. Its socket still tells whether the process lives.
    const { boot } = ownSpace();
    return { pid: 0, startedAt: "", boot, pids: "", host: "unknown", hasSocket: true };
  }
}

/** The holder by the rule of earlier versions: a file with the number and start time of a process. */
function findFormer(folder: string): FolderHolder | undefined {
  const [, pid, startedAt] = /^(\d+) (\S+)\n$/.exec(findText(join(folder, formerFlag)) ?? "") ?? [];
  if (pid === undefined || startedAt === undefined) return undefined;
  return isProcessAlive({ pid: Number(pid), startedAt }) ? { pid: Number(pid), elsewhere: undefined } : undefined;
}

function findText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The file is missing or was removed in the meantime: no process is named.
    return undefined;
  }
}
