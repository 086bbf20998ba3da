import { Type } from "typebox";
import type { ApiVersion } from "../../../src/api/declare/ApiVersion.ts";
import { endpointsOver } from "../../../src/api/declare/endpoint.ts";
import type { RequestContext } from "../../../src/api/declare/RequestContext.ts";
import { intArg, notNegativeArg } from "../../../src/api/v2/args.ts";
import { v2Api } from "../../../src/api/v2/envelope.ts";
import { optional } from "../../../src/lib/kit/arg.ts";
import { textArg } from "../../../src/lib/kit/basicArgs.ts";
import { field, int } from "../../../src/lib/kit/shape.ts";

/** What the endpoints for tests of the frame are answered from: whatever the test says. */
export interface FrameServices {
  readonly answer: (args: { readonly text: string }, context: RequestContext) => Promise<string>;
}

const endpoint = endpointsOver<FrameServices>();
const anyJson = field({ schema: Type.Any(), encode: (value: unknown) => value });
const args = { text: textArg() };

/** Endpoints that need no chain and do on purpose what others do by chance. */
export const frameEndpoints = [
  endpoint({
    name: "say",
    tag: "frame",
    summary: "Asks each time.",
    args,
    result: anyJson,
    run: ({ answer }, given, context) => answer(given, context),
  }),
  endpoint({
    name: "sayOfHead",
    tag: "frame",
    summary: "Asks once a block.",
    args,
    result: anyJson,
    cache: "head",
    run: ({ answer }, given, context) => answer(given, context),
  }),
  endpoint({
    name: "sayForEver",
    tag: "frame",
    summary: "Asks once for each number.",
    args: { ...args, seqno: optional(intArg({ min: 1 })) },
    result: anyJson,
    cache: ({ seqno }) => (seqno === undefined ? "none" : "forever"),
    run: ({ answer }, given, context) => answer(given, context),
  }),
  endpoint({
    name: "large",
    tag: "frame",
    summary: "A number that JSON holds and numbers do not.",
    methods: ["POST"],
    args: { number: notNegativeArg },
    result: anyJson,
    run: (_services, { number }) => ({ number }),
  }),
  endpoint({
    name: "broken",
    tag: "frame",
    summary: "Shows what cannot be shown.",
    args: {},
    result: int,
    run: () => 0.5,
  }),
] as const;

export const frameGeneration: ApiVersion<FrameServices> = { ...v2Api, endpoints: frameEndpoints };
