import { toBase64 } from "../../lib/bytes.ts";
import { isCoded } from "../../lib/errors.ts";
import { makeArg } from "../../lib/kit/arg.ts";
import { shape, text } from "../../lib/kit/shape.ts";
import { findCheck } from "../../lite/queries/findCheck.ts";
import { getMasterchainInfo, queryEnvelope } from "../../lite/tl/liteQueries.ts";
import { serverError } from "../../lite/tl/liteRecords.ts";
import { decodeQuery, encodeQuery, needOf, unwrapQuery } from "../../lite/tl/queryEnvelope.ts";
import { encode } from "../../lite/tl/types.ts";
import { arg } from "../declare/argument.ts";
import { runnerName } from "../declare/Caller.ts";
import { encodeBytes } from "../declare/encodeBag.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { ApiError } from "../declare/errors.ts";
import type { V2Services } from "../v2/declare.ts";

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A query in base64; kept as text, which identifies its answer. */
const queryArg = makeArg<string>({
  schema: { type: "string", contentEncoding: "base64" },
  allowed: "the bytes of a query in base64",
  read: (value) => (typeof value === "string" && value !== "" && base64.test(value) ? value : undefined),
});

/** The query of a request; refuses bytes that are none. */
function readQuery(given: string) {
  const bytes = Buffer.from(given, "base64");
  try {
    const isWrapped = bytes.length >= 4 && bytes.readUInt32LE(0) === queryEnvelope.id;
    const inner = isWrapped ? unwrapQuery(bytes) : bytes;
    return { bytes: inner, decoded: decodeQuery(inner) };
  } catch (cause) {
    if (!isCoded(cause, "lite/tl")) throw cause;
    throw new ApiError("api/argument", `not a query to a lite server: ${cause.message}`, { cause });
  }
}

export const query = endpointsOver<V2Services>()({
  name: "query",
  tag: "lite",
  summary: "Asks a lite server.",
  description:
    "Takes the bytes of one `liteServer.*` query, as TL has it, and answers with the bytes of the answer, so that programs that speak the protocol of lite servers work where there is only HTTP. With `Content-Type: application/octet-stream` the body and the answer are these bytes; as JSON both are in base64. Errors of lite servers are answers, too. Answers are passed on as they are: whoever asks checks their proofs. Those that the named block proves are checked here as well, and cached.",
  isExtra: true,
  methods: ["POST"],
  args: {
    query: arg("Query in base64: a function of `liteServer`, alone or within `liteServer.query`.", queryArg, {
      value: toBase64(encodeQuery(getMasterchainInfo, {})),
    }),
  },
  result: shape<Uint8Array>()({ answer: text("Answer of the lite server, in base64.", encodeBytes) }),
  cache: ({ query: given }) => (findCheck(readQuery(given).decoded) === undefined ? "none" : "forever"),
  run: async ({ chains }, { query: given }, { caller, signal, notes }) => {
    const { bytes, decoded } = readQuery(given);
    const { query: declared, args, wait } = decoded;
    const access = caller.kind === "keyless" ? "public" : "private";
    const { server, askedServers } = chains.open({ access, signal, caller: runnerName(caller) });
    const accept = findCheck(decoded);
    try {
      const answer = await server.ask(bytes, {
        ...{ signal, access, need: needOf(declared, args, wait) },
        ...(accept && { accept }),
      });
      // A single server leaves the check to its caller.
      accept?.(answer);
      return answer;
    } catch (error) {
      if (!isCoded(error, "lite/server")) throw error;
      notes.doNotKeep();
      const { serverCode: code, serverMessage: message = "" } = error.data;
      return encode(serverError.boxed, { code, message });
    } finally {
      for (const index of askedServers()) notes.askedServer(index);
    }
  },
});
