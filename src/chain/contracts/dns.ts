import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { intValue, sliceValue } from "../../contracts/kit/stackValues.ts";
import { type Address, plainAddress } from "../../model/Address.ts";
import { type DnsRecord, dnsCategories, dnsRecordSet, loadDnsRecord } from "../../model/content/DnsRecord.ts";
import type { Hash } from "../../model/Hash.ts";
import { getAccountAt } from "../accounts.ts";
import type { Chain } from "../Chain.ts";
import { ChainError } from "../errors.ts";
import { getMasterBlock } from "../head.ts";
import { isSuccess, runMethod } from "../run/getMethod.ts";

/** One record of a name. */
export interface ResolvedDnsRecord {
  /** The part of the name that was resolved. */
  readonly name: string;
  readonly category: Hash;
  readonly record: DnsRecord | { readonly kind: "unknown"; readonly cell: Cell };
}

export interface NameQuery {
  readonly name: string;
  /** How many further resolvers are followed. */
  readonly ttl: number;
  readonly seqno: number | undefined;
}

/** The longest name that fits one cell. */
const longestName = 127;

/** Queries a DNS contract for all records of a name. */
export async function resolveName(
  chain: Chain,
  resolver: Address,
  nameQuery: NameQuery,
): Promise<readonly ResolvedDnsRecord[]> {
  const block = await getMasterBlock(chain, nameQuery.seqno);
  let [at, left, ttl] = [resolver, nameQuery.name, nameQuery.ttl];
  for (;;) {
    const account = await getAccountAt(chain, at, block);
    const bytes = encodeName(left);
    const stack = [sliceValue(beginCell().storeBytes(bytes).cell()), intValue(0n)];
    const outcome = await runMethod(chain, account, { method: "dnsresolve", stack });
    const [bits, records] = outcome.stack;
    if (!isSuccess(outcome) || bits?.kind !== "int") throw new ChainError("chain/method-failed", "get method failed");
    const resolvedBytes = Number(bits.value) >> 3;
    if (resolvedBytes <= 0 || resolvedBytes > bytes.length || records?.kind !== "cell") return [];
    const { resolved, rest } = splitName(left, bytes, resolvedBytes);
    if (resolvedBytes === bytes.length) return listEntries(resolved, records.cell);
    const entry = {
      name: resolved,
      category: dnsCategories.dns_next_resolver as Hash,
      record: loadDnsRecord(records.cell),
    };
    if (ttl <= 0 || entry.record.kind !== "nextResolver") return [entry];
    [at, left, ttl] = [plainAddress(entry.record.resolver), rest, ttl - 1];
  }
}

/** Labels from the last to the first, each followed by a zero byte; the empty name is one zero byte. */
function encodeName(name: string): Uint8Array {
  const labels = name.split(".").filter((label) => label !== "");
  const bytes = Buffer.from(
    labels.length === 0
      ? "\0"
      : labels
          .reverse()
          .map((label) => `${label}\0`)
          .join(""),
    "utf8",
  );
  if (bytes.length > longestName) throw new ChainError("chain/name", "Name is too long");
  return bytes;
}

/** The part of a name that the first bytes of its encoding represent, with a dot after it, and the part before it. */
function splitName(name: string, bytes: Uint8Array, count: number): { resolved: string; rest: string } {
  const done = Buffer.from(bytes.subarray(0, count))
    .toString("utf8")
    .split("\0")
    .filter((label) => label !== "");
  const labels = name.split(".").filter((label) => label !== "");
  const rest = labels.slice(0, labels.length - done.length).join(".");
  return { resolved: done.length === 0 ? "" : `${done.reverse().join(".")}.`, rest };
}

function listEntries(name: string, root: Cell): ResolvedDnsRecord[] {
  const records = dnsRecordSet(root).entries();
  return records.map(([category, value]) => ({ name, category, record: loadDnsRecord(value) }));
}
