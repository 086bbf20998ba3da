import { Type } from "typebox";
import { objectSchema } from "../../lib/kit/shape.ts";
import type { AnswerFacts, AnswerTime, ApiVersion } from "../declare/ApiVersion.ts";
import { proofHeader } from "../declare/proof.ts";
import { proofSchema } from "../declare/proofForm.ts";
import type { V2Services } from "./declare.ts";
import { answerError } from "./errors.ts";
import { v2Endpoints } from "./list.ts";
import { V2Reader } from "./V2Reader.ts";

/** The version of the public API that this follows, and our revision. */
export const v2Version = "2.1.0";

/** The contract's `@extra`: when an answer was given, by which lite servers, and how long it took. */
function stamp({ nowMs, elapsedMs }: AnswerTime, servers: string, suffix: "" | ":c"): string {
  return `${Math.floor(nowMs / 1000)}:${servers}:${Math.round(elapsedMs * 1000) / 1000}${suffix}`;
}

function stampOf({ notes, source }: AnswerFacts, moment: AnswerTime): string {
  return source === "cache" ? stamp(moment, "_", ":c") : stamp(moment, notes.servers, "");
}

const extraWords =
  "`<unix seconds>:<lite servers asked, or _>:<milliseconds>`, `:c` behind it when it came from the cache.";
const extraSchema = Type.String({ examples: ["1700000000:3:12.345", "1700000000:_:0.023:c"] });

/** The envelope of v2 answers. */
export const v2Api: ApiVersion<V2Services> = {
  name: "v2",
  title: "Tongate API v2",
  about:
    "The current chain state from lite servers, with every proof checked. Use GET with a query, POST with a JSON body, or JSON-RPC at `POST /api/v2/jsonRPC`, which is also `POST /`. With `proof=1`, as a parameter, a field of the body or the header `X-Proof: 1`, an answer has the proof of its result; `proof_since` is the seqno of the masterchain block from which the receiver trusts the chain.",
  base: "/api/v2",
  version: v2Version,
  endpoints: v2Endpoints,
  beginning: '{"ok":true,"result":',
  end: (answer, moment, echo) => `,"@extra":"${stampOf(answer, moment)}"${echo}}`,
  refuse: (error, moment, echo, notes) => {
    const { status, text, extra } = answerError(error);
    const asked = notes?.servers ?? "_";
    const last = extra === "none" ? "" : `,"@extra":"${extra === "_" ? "_" : stamp(moment, asked, "")}"`;
    return { status, body: `{"ok":false,"error":${JSON.stringify(text)},"code":${status}${last}${echo}}` };
  },
  successSchema: (result) =>
    objectSchema({
      ok: ["Always true: an error has another envelope.", Type.Literal(true)],
      result: ["Result of the method.", result],
      "@extra": [extraWords, extraSchema],
      proof: ["Proof of the result, where the request asks for it with `proof=1`.", Type.Optional(proofSchema)],
    }),
  errorSchema: {
    ...objectSchema({
      ok: ["Always false.", Type.Literal(false)],
      error: ["What is wrong.", Type.String()],
      code: ["The same as the HTTP status.", Type.Integer()],
      "@extra": [extraWords, Type.Optional(extraSchema)],
    }),
    $id: "Error",
  },
  statuses: [400, 401, 403, 408, 413, 414, 422, 429, 431, 500, 503, 504, 542],
  argHeaders: [proofHeader],
  rpcPath: "/jsonRPC",
  // Clients that only know the address of a server post to its root.
  rpcAliases: ["/"],
  makeReader: (args) => new V2Reader(args),
};
