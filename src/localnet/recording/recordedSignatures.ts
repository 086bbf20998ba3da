import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { fromBase64 } from "../../lib/bytes.ts";
import { blockIdFromTl } from "../../lite/queries/ids.ts";
import { decodeAnswer, findServerError } from "../../lite/server/LiteServer.ts";
import { getBlockProof } from "../../lite/tl/liteQueries.ts";
import type { Hash } from "../../model/Hash.ts";
import type { ServedSignatures } from "../answers/kit/AnswerContext.ts";

/** A recorded exchange with a lite server, as far as it is read here. */
interface ProofExchange {
  readonly group: string;
  /** Base64 of the answer; null where the server sent none. */
  readonly response: string | null;
}

/**
 * The signatures of masterchain blocks, by root hash, that a recording has. Blocks do not carry their own signatures;
 * the recorded proofs of a lite server do. Readers of a proof check them, so they are not checked here.
 */
export function readRecordedSignatures(folder: string): ReadonlyMap<Hash, ServedSignatures> {
  const exchanges = join(folder, "lite");
  const files = existsSync(exchanges) ? readdirSync(exchanges).filter((name) => name.endsWith(".jsonl.gz")) : [];
  return signaturesIn(files.flatMap((name) => readExchanges(join(exchanges, name))));
}

/** The signatures in the proofs among these exchanges. */
export function signaturesIn(exchanges: readonly ProofExchange[]): Map<Hash, ServedSignatures> {
  const servedSignatureses = new Map<Hash, ServedSignatures>();
  for (const { group, response } of exchanges) {
    if (group !== "getBlockProof" || response === null) continue;
    const answer = fromBase64(response);
    if (findServerError(answer) !== undefined) continue;
    for (const step of decodeAnswer(getBlockProof, answer).steps)
      if (step.kind === "forward") servedSignatureses.set(blockIdFromTl(step.to).rootHash, step.signatures);
  }
  return servedSignatureses;
}

function readExchanges(path: string): ProofExchange[] {
  const lines = gunzipSync(readFileSync(path)).toString("utf8").split("\n");
  return lines.filter((line) => line.includes('"getBlockProof"')).map((line) => JSON.parse(line) as ProofExchange);
}
