import type { Action } from "../../../src/contracts/engine/Action.ts";
import { findListedKey } from "../../../src/contracts/families/tgbtc/listedKey.ts";
import { formatRawAddress } from "../../../src/model/Address.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import type { Trace } from "../../../src/model/Trace.ts";

export type JsonRecord = Readonly<Record<string, unknown>>;

/** An action in the format of GET /api/v3/actions, with unordered lists sorted. */
export function actionJson(action: Action, trace: Trace): Record<string, unknown> {
  return {
    trace_id: hashToBase64(trace.id),
    action_id: hashToBase64(action.id),
    start_lt: action.startLt.toString(),
    end_lt: action.endLt.toString(),
    start_utime: action.startAt,
    end_utime: action.endAt,
    trace_end_lt: trace.endLt.toString(),
    trace_end_utime: trace.endAt,
    trace_mc_seqno_end: trace.mcSeqnoEnd,
    transactions: action.transactions.map(hashToBase64).sort(),
    success: action.success,
    type: action.shownType,
    details: sortDetails(action.details),
    ...(trace.externalHash !== undefined && { trace_external_hash: hashToBase64(trace.externalHash) }),
    accounts: [...action.accounts.map(formatRawAddress), ...[findListedKey(action) ?? []].flat()].sort(),
    finality: "finalized",
  };
}

/** A recorded action with the same lists sorted. */
export function sortedAction(recorded: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    ...recorded,
    transactions: [...(recorded.transactions as readonly string[])].sort(),
    accounts: [...((recorded.accounts ?? []) as readonly string[])].sort(),
    details: sortDetails(recorded.details as Readonly<Record<string, unknown>>),
  };
}

function sortDetails(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const excesses = details.vault_excesses;
  if (!Array.isArray(excesses)) return { ...details };
  const sorted = [...excesses].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return { ...details, vault_excesses: sorted };
}

/** All values inside a JSON value, by path. */
export function flatten(value: unknown, path: string, into = new Map<string, unknown>()): Map<string, unknown> {
  if (typeof value !== "object" || value === null)
    return into.set(path, typeof value === "bigint" ? String(value) : value);
  const entries = Object.entries(value);
  into.set(path, Array.isArray(value) ? "list" : "object");
  if (Array.isArray(value)) into.set(`${path}.length`, entries.length);
  for (const [name, item] of entries) flatten(item, `${path}.${name}`, into);
  return into;
}
