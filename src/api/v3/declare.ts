import type { Args, ArgValues } from "../../lib/kit/arg.ts";
import { type CacheRule, type Endpoint, type EndpointDeclaration, endpointsOver } from "../declare/endpoint.ts";
import { controlArgs } from "./args/args.ts";
import type { V3Services } from "./Services.ts";

export type ControlArgs = typeof controlArgs;
export type Control = ArgValues<ControlArgs>;

const declare = endpointsOver<V3Services>();

/** Who wants to see how the index is asked wants it to be asked. */
const untilChanged = ({ x_debug_request: isWatched }: Control): CacheRule => (isWatched ? "none" : "head");

/** Declares an endpoint of v3: asked by GET unless it says otherwise, and with the arguments that all of them take. */
export function endpoint<const Name extends string, const A extends Args, R, Out>(
  declaration: Omit<EndpointDeclaration<V3Services, Name, A & ControlArgs, R, Out>, "args"> & { readonly args: A },
): Endpoint<V3Services, Name, A & ControlArgs, R, Out> {
  return declare({ methods: ["GET"], ...declaration, args: { ...declaration.args, ...controlArgs } });
}

/** Declares an endpoint of v3 that is answered from the index alone, so that its answers are good until that changes. */
export function indexEndpoint<const Name extends string, const A extends Args, R, Out>(
  declaration: Omit<EndpointDeclaration<V3Services, Name, A & ControlArgs, R, Out>, "args" | "cache"> & {
    readonly args: A;
  },
): Endpoint<V3Services, Name, A & ControlArgs, R, Out> {
  return endpoint({ ...declaration, cache: untilChanged });
}
