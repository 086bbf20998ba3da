import { createClient } from "../../../src/api/client/client.ts";
import type { TrustedConfig } from "../../../src/api/client/verify/TrustOptions.ts";
import { v2Endpoints } from "../../../src/api/v2/list.ts";
import { isCoded } from "../../../src/lib/errors.ts";
import type { TrustedStart } from "../../../src/lite/server/knownNetworks.ts";
import type { BlockIdExt } from "../../../src/model/block/BlockId.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import { operationOf, type V2Record } from "./v2Golden.ts";

/** The start of trust as a global config has it. */
export function trustOf({ zeroState, initBlock }: TrustedStart): TrustedConfig {
  return { validator: { zero_state: configBlock(zeroState), init_block: configBlock(initBlock) } };
}

function configBlock({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt) {
  const hashes = { root_hash: hashToBase64(rootHash), file_hash: hashToBase64(fileHash) };
  return { workchain, shard: BigInt.asIntN(64, shard).toString(), seqno, ...hashes };
}

interface ProvedRecords {
  /** How many requests were proved, refused by the server, and have no proof. */
  readonly counts: Readonly<Record<"proved" | "refused" | "not covered", number>>;
  /** Requests whose proved result differs from the one without a proof, or that only one of both clients gets. */
  readonly wrong: readonly unknown[];
}

/** Sends recorded requests by the plain client and by one that checks proofs, and compares the results. */
export async function checkProvedRecords(
  origin: string,
  records: readonly V2Record[],
  start: TrustedStart,
): Promise<ProvedRecords> {
  const base = `${origin}/api/v2`;
  const plain = methodsOf(createClient(base));
  // The time of a recording stands still.
  const proving = methodsOf(
    createClient(base, { verify: { trust: trustOf(start), maxAge: Number.POSITIVE_INFINITY } }),
  );
  const counts = { proved: 0, refused: 0, "not covered": 0 };
  const wrong: unknown[] = [];
  for (const { id, name, args } of callsOf(records)) {
    const [expected, actual] = await Promise.all([outcomeOf(plain(name), args), outcomeOf(proving(name), args)]);
    const isCovered = v2Endpoints.some((each) => each.name === name && each.proof.by !== "nothing");
    if (!isCovered) counts["not covered"]++;
    else if (isRefused(expected) && isRefused(actual)) counts.refused++;
    else if (JSON.stringify(expected, asText) === JSON.stringify(actual, asText)) counts.proved++;
    else wrong.push({ id, name, args, expected, actual });
  }
  return { counts, wrong };
}

/** Whether there is no result, although nothing was wrong with a proof. */
function isRefused(outcome: Awaited<ReturnType<typeof outcomeOf>>): boolean {
  return outcome.error?.startsWith("verify/") === false;
}

function asText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `bigint ${value}` : value;
}

type Method = (args: unknown) => Promise<unknown>;

function methodsOf(client: object): (name: string) => Method {
  return (name) => Object(client)[name] as Method;
}

async function outcomeOf(method: Method, args: unknown) {
  try {
    return { result: await method(args), error: undefined };
  } catch (error) {
    return { result: undefined, error: isCoded(error) ? `${error.code}: ${error.message}` : String(error) };
  }
}

/** The recorded requests that a client can send. */
export function callsOf(records: readonly V2Record[]) {
  const names = new Set(v2Endpoints.filter(({ isBare }) => !isBare).map(({ name }) => name));
  return records.flatMap((record) => {
    const { id, request } = record;
    const isRpc = operationOf(record).startsWith("jsonRPC ");
    const name = operationOf(record).replace(/^jsonRPC /, "");
    const args = isRpc ? Object(request.body).params : (request.body ?? request.query ?? {});
    return names.has(name) && request.raw === undefined && !Array.isArray(args)
      ? [{ id, name, args: Object(args) }]
      : [];
  });
}
