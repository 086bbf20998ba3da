import { readRowsByHash } from "../../../history/queries/transactionsByHash.ts";
import type { JsonValue } from "../../../lib/json.ts";
import { readDeferred } from "../../../lib/kit/deferredJson.ts";
import type { Form } from "../../../lib/kit/shape.ts";
import { formatRawAddress } from "../../../model/Address.ts";
import { type Hash, hashToBase64 } from "../../../model/Hash.ts";
import { runnerName } from "../../declare/Caller.ts";
import { ApiError } from "../../declare/errors.ts";
import { hasNoProof, type ProofRule } from "../../declare/proof.ts";
import { findDifference } from "../../declare/provedPart.ts";
import type { RequestContext } from "../../declare/RequestContext.ts";
import { onChain } from "../../v2/onChain.ts";
import { refusal } from "../args/refusals.ts";
import type { V3Services } from "../services/Services.ts";
import { blockRef } from "../shapes/blocks.ts";

type Run<A, R> = (services: V3Services, args: A, context: RequestContext) => R | Promise<R>;

interface Shown<R> {
  readonly name: string;
  readonly proof: ProofRule;
  readonly result: Form<R, unknown>;
}

/** Makes an endpoint prove what it shows, where a request asks for it. */
export function withShownProof<A extends object, R>({ name, proof, result }: Shown<R>, run: Run<A, R>): Run<A, R> {
  if (proof.by !== "shown") return run;
  const { prove, named } = proof;
  const proveRun = async (services: V3Services, args: A, context: RequestContext): Promise<R> => {
    const { live } = services;
    const { notes } = context;
    if (live === undefined) throw refusal("noV2");
    const value = await run(services, args, context);
    const at = notes.indexSeqno;
    if (at === undefined) throw refusal("nothingIndexed");
    const shown = readDeferred(result.encode(value));
    const places = named && (await readPlaces(services, named(shown), context));
    const onRecorded = onChain<A, R>(async (chain) => {
      const proved = await prove(chain, args as Readonly<Record<string, unknown>>, { result: shown, at, places });
      const difference = findDifference(proved.result, shown);
      if (difference !== undefined) throw differs(name, difference);
      notes.addToProof({ at, ...(proved.isComplete && { complete: true }), ...(places && { places }) });
      return value;
    });
    return onRecorded(live, args, context);
  };
  return (services, args, context) =>
    context.proof === undefined ? run(services, args, context) : proveRun(services, args, context);
}

/** Where transactions are, for a receiver that knows only their hashes. */
async function readPlaces(
  { history }: V3Services,
  hashes: readonly Hash[],
  { signal, caller }: RequestContext,
): Promise<readonly JsonValue[]> {
  const rows = await history.read({ signal, caller: runnerName(caller), seenSeqno: 0 }, (reading) =>
    readRowsByHash(reading, hashes),
  );
  return rows.map((row) => ({
    hash: hashToBase64(row.hash),
    account: formatRawAddress(row.account),
    lt: String(row.lt),
    block_ref: blockRef.encode({ workchain: row.blockWorkchain, shard: row.blockShard, seqno: row.blockSeqno }),
  }));
}

function differs(name: string, difference: string): ApiError {
  return new ApiError(
    "api/no-proof",
    `${name} ${hasNoProof} here: the index differs from the chain in ${difference}; tell the operator of this server`,
  );
}
