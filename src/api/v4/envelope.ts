import { Type } from "typebox";
import { objectSchema } from "../../lib/kit/shape.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import type { ApiVersion } from "../declare/ApiVersion.ts";
import { type Endpoint, endpointsIn } from "../declare/endpoint.ts";
import { ApiError } from "../declare/errors.ts";
import { proofHeader } from "../declare/proof.ts";
import { parseObject, type RequestArgs, type RequestHeaders } from "../declare/requestArgs.ts";
import * as accounts from "./accounts.ts";
import * as blocks from "./blocks.ts";
import * as config from "./config.ts";
import type { V4Services } from "./declare.ts";
import { answerError } from "./errors.ts";
import * as run from "./run.ts";
import * as send from "./send.ts";
import * as transactions from "./transactions.ts";

/** Every endpoint of v4; the documentation shows the files in this order. */
export const v4Endpoints = endpointsIn<Endpoint<V4Services>>([blocks, accounts, run, config, transactions, send]);

/** The client that this follows, and our revision. */
const v4Version = "4.0.0";

const errorHeaders = ["Cache-Control", "no-store"];

/** A text body has the arguments of a get-method; any other is a JSON object. */
function* readBody(text: string, headers: RequestHeaders): Steps<RequestArgs> {
  const type = String(headers["content-type"] ?? "application/json").replace(/;.*$/s, "");
  if (type.trim() === "text/plain") return { args: text.trim() };
  if (!/^application\/(?:[\w.-]+\+)?json\s*$/i.test(type)) {
    throw new ApiError(
      "api/media-type",
      `Content-Type must be application/json or text/plain, not ${type.slice(0, 80)}`,
    );
  }
  return yield* parseObject(text);
}

/** The envelope of v4: every request names a block, results have no envelope. */
export const v4Api: ApiVersion<V4Services> = {
  name: "v4",
  title: "Tongate API v4",
  about:
    "The chain at a block of your choice, from lite servers, every answer proved: the API of `TonClient4` of `@ton/ton`. An answer about a block never changes, so that every cache may keep it. Clients that can set neither a header nor a query put their key into the path: `/api/v4/k/<key>/block/latest`. With `proof=1` in the query or the header `X-Proof: 1`, the answer is `{ result, proof }`; `proof_since` is the seqno of the masterchain block from which the receiver trusts the chain.",
  base: "/api/v4",
  version: v4Version,
  endpoints: v4Endpoints,
  beginning: "",
  end: () => "",
  refuse: (error) => {
    const { status, text } = answerError(error);
    return { status, body: JSON.stringify({ error: text, code: status }), headers: errorHeaders };
  },
  successSchema: (result) => result,
  errorSchema: {
    ...objectSchema({
      error: ["What is wrong.", Type.String()],
      code: ["The same as the HTTP status.", Type.Integer()],
    }),
    $id: "Error",
  },
  statuses: [401, 403, 422, 429, 500, 503, 504, 542],
  rpcPath: undefined,
  argHeaders: [proofHeader],
  hasKeyPaths: true,
  readBody,
};
