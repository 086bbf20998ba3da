import { Type } from "typebox";
import { objectSchema } from "../../lib/kit/shape.ts";
import type { ApiVersion } from "../declare/ApiVersion.ts";
import type { Endpoint } from "../declare/endpoint.ts";
import type { V2Services } from "../v2/declare.ts";
import { answerError } from "../v2/errors.ts";
import { query } from "./query.ts";

/** Lite servers over HTTP. */
export const liteApi: ApiVersion<V2Services> = {
  name: "lite",
  title: "Tongate lite queries",
  about:
    "Lite servers over HTTP, for browsers and other places without sockets: one query in bytes, one answer in bytes, through the servers, keys and limits of this service.",
  base: "/api/lite/v1",
  version: "1.0.0",
  endpoints: [query] as readonly Endpoint<V2Services>[],
  beginning: "",
  end: () => "",
  refuse: (error) => {
    const { status, text } = answerError(error);
    return { status, body: JSON.stringify({ error: text, code: status }), headers: ["Cache-Control", "no-store"] };
  },
  successSchema: (result) => result,
  errorSchema: {
    ...objectSchema({
      error: ["What is wrong.", Type.String()],
      code: ["The same as the HTTP status.", Type.Integer()],
    }),
    $id: "LiteError",
  },
  statuses: [401, 403, 413, 422, 429, 500, 503, 504],
  rpcPath: undefined,
  bytes: {
    read: (body) => ({ query: body.toString("base64") }),
    frame: ['{"answer":"', '"}'],
  },
};
