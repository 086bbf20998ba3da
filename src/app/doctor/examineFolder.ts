import { existsSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { KeyFile } from "../../api/access/KeyFile.ts";
import { systemFiles } from "../../lib/files/FileSystem.ts";
import { chainFiles } from "../../localnet/store/chainFiles.ts";
import { findLockHolder } from "../../localnet/store/folderLock.ts";
import { inspectChain } from "../../localnet/store/inspectChain.ts";
import { isRestoring } from "../../localnet/store/restoreSteps.ts";
import { localFolder } from "../dataFolder.ts";
import type { NetworkPlan } from "../NetworkPlan.ts";
import { TrustedBlockFile } from "../service/remote/TrustedBlockFile.ts";
import { type Finding, note, ok, problem } from "./Finding.ts";

const subject = "data folder";
const leastFree = 1 << 30;

/** Whether the data folder is writable, has space, and contains only readable files. */
export async function examineFolder(data: string, plans: readonly NetworkPlan[]): Promise<Finding[]> {
  const standing = examineWritable(data);
  const findings = [standing];
  if (standing.kind !== "problem") findings.push(...examineAccess(data), examineRoom(data), ...examineKeys(data));
  for (const plan of plans)
    findings.push(...(plan.kind === "local" ? await examineLocal(data) : examineTrusted(data, plan)));
  return findings;
}

/** Keys of wallets and of callers are in this folder. */
function examineAccess(data: string): Finding[] {
  if (process.platform === "win32" || !existsSync(data) || (statSync(data).mode & 0o077) === 0) return [];
  return [note(subject, `other users of this machine can read ${data}; run chmod 700 ${data}`)];
}

function examineWritable(data: string): Finding {
  const found = nearest(data);
  const isThere = found === resolve(data);
  const fix = "give another folder with --data, or let this user write there";
  if (!statSync(found).isDirectory()) return problem(subject, `cannot create ${data}: ${found} is not a folder`, fix);
  const probe = join(found, `.tongate-probe-${process.pid}`);
  try {
    writeFileSync(probe, "");
    rmSync(probe);
    return ok(subject, isThere ? `${data} is writable` : `${data} does not exist yet and can be created`);
  } catch (error) {
    return problem(subject, `cannot write to ${data}: ${messageOf(error)}`, fix);
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
    ? problem("disk", text, "free some space, or give a folder on another disk with --data")
    : ok("disk", text);
}

function examineKeys(data: string): Finding[] {
  try {
    const { keys, badLines } = new KeyFile(data).read();
    const fix = "correct or delete these lines; the server refuses the keys they name";
    if (badLines.length > 0) return [problem("keys", `the key file has damaged lines: ${badLines.join(", ")}`, fix)];
    const valid = keys.filter(({ revokedAt }) => revokedAt === undefined).length;
    return [ok("keys", `${valid} valid, ${keys.length - valid} revoked`)];
  } catch (error) {
    return [problem("keys", messageOf(error), "let this user read the key file")];
  }
}

async function examineLocal(data: string): Promise<Finding[]> {
  const folder = localFolder({ data });
  const holder = await findLockHolder(folder);
  if (holder !== undefined)
    return [note("local chain", `${folder} is in use by ${holder}; only one process can use it`)];
  if (isRestoring(folder, systemFiles))
    return [note("local chain", "the restore of a snapshot was interrupted; the next start completes it")];
  const { seqno, problem: reason, isRepairable } = await inspectChain(folder, systemFiles);
  if (reason !== undefined) return [problem("local chain", reason, isRepairable ? `${putBack}; ${repair}` : putBack)];
  if (!existsSync(join(folder, chainFiles.header)))
    return [ok("local chain", existsSync(folder) ? `${folder} is free` : `${folder} is created at the first start`)];
  return [ok("local chain", `${folder} is free; its ${seqno} masterchain blocks are whole`)];
}

const putBack = "restore a copy of the file, or a snapshot with tongate localnet --restore FILE and a new --data";
const repair = "tongate localnet --repair continues without the damaged and missing blocks";

function examineTrusted(data: string, plan: NetworkPlan & { readonly kind: "remote" }): Finding[] {
  const file = new TrustedBlockFile(data, plan.zeroState);
  const found = file.read();
  if (found.kind === "broken")
    return [problem("trusted block", `${file.path}: ${found.reason}`, "delete the file; a start creates it again")];
  return [ok("trusted block", found.kind === "none" ? "none stored yet" : `masterchain block ${found.block.seqno}`)];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
