import type { ArgValues } from "../../lib/kit/arg.ts";
import type { EndpointArgs } from "../declare/argument.ts";
import { type CacheRule, type Endpoint, type EndpointDeclaration, provableEndpointsOver } from "../declare/endpoint.ts";
import type { ProofRule } from "../declare/proof.ts";
import { controlArgs } from "./args/args.ts";
import { withShownProof } from "./proofs/withShownProof.ts";
import type { ScopeRule } from "./scope/scopeRule.ts";
import { withinScope } from "./scope/withinScope.ts";
import type { V3Services } from "./services/Services.ts";

export type ControlArgs = typeof controlArgs;
export type Control = ArgValues<ControlArgs>;

const declare = provableEndpointsOver<V3Services>();

/** Requests that log their statements must run them. */
const untilChanged = ({ x_debug_request: isWatched }: Control): CacheRule => (isWatched ? "none" : "head");

/** What an endpoint of v3 has besides those of others. */
export interface Scoped {
  readonly scope: ScopeRule;
}

/** What an endpoint of v3 adds to a declaration, and its own arguments. */
interface OwnParts<A extends EndpointArgs> {
  readonly args: A;
  /** When it answers on an index with a scope. */
  readonly scope: ScopeRule<NoInfer<keyof A & string>>;
  readonly proof: ProofRule;
}

/** Declares an endpoint of v3, by default for GET, with the common arguments. */
export function endpoint<const Name extends string, const A extends EndpointArgs, R, Out>({
  scope,
  ...declaration
}: Omit<EndpointDeclaration<V3Services, Name, A & ControlArgs, R, Out>, "args"> & OwnParts<A>): Endpoint<
  V3Services,
  Name,
  A & ControlArgs,
  R,
  Out
> &
  Scoped {
  const declared = declare({
    methods: ["GET"],
    ...declaration,
    args: { ...declaration.args, ...controlArgs },
    run: withShownProof(declaration, withinScope(scope, declaration.run)),
  });
  return { ...declared, scope };
}

/** Declares an endpoint of v3 that uses only the index, so that its answers are valid until the index changes. */
export function indexEndpoint<const Name extends string, const A extends EndpointArgs, R, Out>(
  declaration: Omit<EndpointDeclaration<V3Services, Name, A & ControlArgs, R, Out>, "args" | "cache"> & OwnParts<A>,
): Endpoint<V3Services, Name, A & ControlArgs, R, Out> & Scoped {
  return endpoint({ ...declaration, cache: untilChanged });
}
