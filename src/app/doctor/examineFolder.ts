import { existsSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { KeyFile } from "../../api/access/KeyFile.ts";
import { systemFiles } from "../../lib/files/FileSystem.ts";
import { chainFiles } from "../../localnet/store/chainFiles.ts";
import { findLockHolder } from "../../localnet/store/folderLock.ts";
import { inspectChain } from "../../localnet/store/inspectChain.ts";
import { localFolder } from "../local/localFolder.ts";
import type { NetworkPlan } from "../networks/NetworkPlan.ts";
import { TrustedBlockFile } from "../service/TrustedBlockFile.ts";
import { type Finding, note, ok, problem } from "./Finding.ts";

const subject = "data folder";
const leastFree = 1 << 30;

/** Whether the data folder is writable, has space, and contains only readable files. */
export async function examineFolder(data: string, plans: readonly NetworkPlan[]): Promise<Finding[]> {
  const standing = examineStanding(data);
  const found = [standing];
  if (standing.kind !== "problem") found.push(...examineAccess(data), examineRoom(data), ...examineKeys(data));
  for (const plan of plans)
    found.push(...(plan.kind === "local" ? await examineLocal(data) : examineTrusted(data, plan)));
  return found;
}

/** Keys of wallets and of callers are in this folder. */
function examineAccess(data: string): Finding[] {
  if (process.platform === "win32" || !existsSync(data) || (statSync(data).mode & 0o077) === 0) return [];
  return [note(subject, `${data} can be read by other users of this machine; chmod 700 ends that`)];
}

function examineStanding(data: string): Finding {
  const found = nearest(data);
  const isThere = found === resolve(data);
  const fix = "give another folder with --data, or mend who may write there";
  if (!statSync(found).isDirectory()) return problem(subject, `${data} cannot be made: ${found} is not a folder`, fix);
  const probe = join(found, `.tongate-probe-${process.pid}`);
  try {
    writeFileSync(probe, "");
    rmSync(probe);
    return ok(subject, isThere ? `${data} can be written to` : `${data} is not there yet and can be made`);
  } catch (error) {
    return problem(subject, `${data} cannot be written to: ${messageOf(error)}`, fix);
  }
}

/** The folder itself, or its closest existing parent. */
function nearest(path: string): string {
  const whole = resolve(path);
  return existsSync(whole) || dirname(whole) === whole ? whole : nearest(dirname(whole));
}

function examineRoom(data: string): Finding {
  const { bavail, bsize } = statfsSync(nearest(data));
  const free = bavail * bsize;
  const text = `${(free / 2 ** 30).toFixed(1)} GiB free`;
  return free < leastFree
    ? problem("disk", text, "make room, or give a folder on another disk with --data")
    : ok("disk", text);
}

function examineKeys(data: string): Finding[] {
  try {
    const { keys, badLines } = new KeyFile(data).read();
    const fix = "mend or delete these lines; the server refuses the keys that they name";
    if (badLines.length > 0) return [problem("keys", `lines ${badLines.join(", ")} cannot be read`, fix)];
    const valid = keys.filter(({ revokedAt }) => revokedAt === undefined).length;
    return [ok("keys", `${valid} valid, ${keys.length - valid} revoked`)];
  } catch (error) {
    return [problem("keys", messageOf(error), "mend who may read the key file")];
  }
}

async function examineLocal(data: string): Promise<Finding[]> {
  const folder = localFolder({ data });
  const holder = await findLockHolder(folder);
  if (holder !== undefined) return [note("local chain", `${folder} is in use by ${holder}; a second one is refused`)];
  if (!existsSync(join(folder, chainFiles.header)))
    return [ok("local chain", existsSync(folder) ? `${folder} is free` : `${folder} is made at the first start`)];
  const { seqno, problem: reason } = await inspectChain(folder, systemFiles);
  const fix =
    `restore a copy of the file, or a snapshot with tongate localnet --restore FILE and a new --data; ` +
    `tongate localnet --repair gives the damaged and missing blocks up`;
  return [
    reason === undefined
      ? ok("local chain", `${folder} is free; its ${seqno} masterchain blocks are whole`)
      : problem("local chain", reason, fix),
  ];
}

function examineTrusted(data: string, plan: NetworkPlan & { readonly kind: "remote" }): Finding[] {
  const file = new TrustedBlockFile(data, plan.zeroState);
  const found = file.read();
  if (found.kind === "broken")
    return [problem("trusted block", `${file.path}: ${found.reason}`, "delete the file; it is made again")];
  return [ok("trusted block", found.kind === "none" ? "none kept yet" : `masterchain block ${found.block.seqno}`)];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
