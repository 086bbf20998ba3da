import { Type } from "typebox";
import type { ApiVersion } from "../../../src/api/declare/ApiVersion.ts";
import { arg } from "../../../src/api/declare/argument.ts";
import { endpointsOver } from "../../../src/api/declare/endpoint.ts";
import type { RequestContext } from "../../../src/api/declare/RequestContext.ts";
import { intArg, notNegativeArg } from "../../../src/api/v2/args.ts";
import { v2Api } from "../../../src/api/v2/envelope.ts";
import { optional } from "../../../src/lib/kit/arg.ts";
import { textArg } from "../../../src/lib/kit/basicArgs.ts";
import { field, int } from "../../../src/lib/kit/shape.ts";

/** The service behind the test endpoints: the test supplies the answer. */
export interface FrameServices {
  readonly answer: (args: { readonly text: string }, context: RequestContext) => Promise<string>;
}

const endpoint = endpointsOver<FrameServices>();
const anyJson = field({ schema: Type.Any(), encode: (value: unknown) => value });
const args = { text: arg("Text of the answer.", textArg(), { value: "text" }) };

/** Endpoints without a chain that force cases which are rare in real ones. */
export const frameEndpoints = [
  endpoint({
    name: "say",
    tag: "frame",
    summary: "Runs on every request.",
    args,
    result: anyJson,
    run: ({ answer }, given, context) => answer(given, context),
  }),
  endpoint({
    name: "sayOfHead",
    tag: "frame",
    summary: "Cached for one block.",
    args,
    result: anyJson,
    cache: "head",
    run: ({ answer }, given, context) => answer(given, context),
  }),
  endpoint({
    name: "sayForEver",
    tag: "frame",
    summary: "Cached forever when a seqno is given.",
    args: { ...args, seqno: arg("Block of the answer.", optional(intArg({ min: 1 }))) },
    result: anyJson,
    cache: ({ seqno }) => (seqno === undefined ? "none" : "forever"),
    run: ({ answer }, given, context) => answer(given, context),
  }),
  endpoint({
    name: "large",
    tag: "frame",
    summary: "Echoes a number above 2^53.",
    methods: ["POST"],
    args: { number: arg("Number to echo.", notNegativeArg, { value: 1 }) },
    result: anyJson,
    run: (_services, { number }) => ({ number }),
  }),
  endpoint({
    name: "broken",
    tag: "frame",
    summary: "Returns a value that its schema rejects.",
    args: {},
    result: int,
    run: () => 0.5,
  }),
] as const;

export const frameApi: ApiVersion<FrameServices> = { ...v2Api, endpoints: frameEndpoints };
