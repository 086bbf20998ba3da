import { Type } from "typebox";
import { objectSchema } from "../../lib/kit/shape.ts";
import type { ApiVersion } from "../declare/ApiVersion.ts";
import { proofHeader } from "../declare/proof.ts";
import type { HeaderArg } from "./args/args.ts";
import { answerError } from "./errors.ts";
import { v3Endpoints } from "./list.ts";
import type { V3Services } from "./services/Services.ts";
import { V3Reader } from "./V3Reader.ts";

/** The version of the public API that this follows, and our revision. */
export const v3Version = "1.2.0";

/** A request may name a thousand accounts in its URL. */
export const v3MaxUrlBytes = 131_072;

/** Headers that are arguments of some endpoint, and the one that asks for a proof. */
const argHeaders = [
  proofHeader,
  ...new Set(
    v3Endpoints.flatMap(({ args }) =>
      Object.values(args).flatMap((arg) => (arg as Partial<HeaderArg<unknown>>).header ?? []),
    ),
  ),
];

/** The envelope of v3: results without an envelope, errors with a code and a text. */
export const v3Api: ApiVersion<V3Services> = {
  name: "v3",
  title: "Tongate API v3",
  about:
    "The history of the chain from the index: blocks, transactions, traces, actions, tokens and domains. A list is read page by page: while an answer has the header `X-Next-Cursor`, its value as `cursor` gives the next page. `limit` and `offset` work as well, for short lists. With `proof=1` in the query or the header `X-Proof: 1`, an answer that the chain proves is `{ result, proof }`; `proof_since` is the seqno of the masterchain block from which the receiver trusts the chain.",
  base: "/api/v3",
  version: v3Version,
  endpoints: v3Endpoints,
  beginning: "",
  end: () => "",
  refuse: (error) => {
    const { status, text } = answerError(error);
    return { status, body: JSON.stringify({ code: status, error: text }) };
  },
  successSchema: (result) => result,
  errorSchema: {
    ...objectSchema({
      code: ["The same as the HTTP status.", Type.Integer()],
      error: ["What is wrong.", Type.String()],
    }),
    $id: "RequestError",
  },
  statuses: [401, 403, 422, 429, 500, 503],
  rpcPath: undefined,
  makeReader: (args) => new V3Reader(args),
  argHeaders,
  contentType: "application/json; charset=utf-8",
  isTimed: true,
  allowedHeaders: "*",
  documentAlias: "doc.json",
};
