import type { Arg, Args, ArgValues } from "../../lib/kit/arg.ts";
import type { Form } from "../../lib/kit/shape.ts";
import type { EndpointArgs } from "./argument.ts";
import { type ProofRule, unproved } from "./proof.ts";
import type { RequestContext } from "./RequestContext.ts";

/** How long an answer is valid: not at all, until the next block, or forever. */
export type CacheRule = "none" | "head" | "forever";

export type HttpMethod = "GET" | "POST";

/**
 * One endpoint, declared once: its routes, its JSON-RPC method, its part of OpenAPI, its client method and its entry in
 * the case table of the tests are derived.
 */
export interface Endpoint<
  S,
  Name extends string = string,
  A extends EndpointArgs = EndpointArgs,
  R = unknown,
  Out = unknown,
> {
  readonly name: Name;
  /** Its path below the base, with `{name}` for an argument; defaults to the name. */
  readonly path: string;
  readonly tag: string;
  /** One sentence. */
  readonly summary: string;
  /** Details in Markdown. */
  readonly description: string;
  /** Whether it is missing in the published API. */
  readonly isExtra: boolean;
  readonly methods: readonly HttpMethod[];
  readonly args: A;
  readonly result: Form<R, Out>;
  /** Further statuses of this endpoint. */
  readonly statuses: readonly number[];
  /** The answer over HTTP is the result alone, without envelope. */
  readonly isBare: boolean;
  /** Open to every caller over HTTP: without keys and limits. */
  readonly isUncounted: boolean;
  /**
   * Answers a GET, too, only to those who may change what is served: the answer is as good as that. It is never cached.
   */
  readonly isGuarded: boolean;
  /**
   * Whether a request ends when its time is over. Work that cannot be cancelled and changes what is served has none:
   * its caller must learn how it ended.
   */
  readonly hasDeadline: boolean;
  /** What proves its answers to a receiver that trusts nobody. */
  readonly proof: ProofRule;
  /**
   * May depend on the arguments: an account at a given block is immutable, the newest one is valid until the next
   * block.
   */
  cache(args: ArgValues<A>): CacheRule;
  /** Returns the value of the answer, synchronously where possible; throws coded errors only. */
  run(services: S, args: ArgValues<A>, context: RequestContext): R | Promise<R>;
}

export interface EndpointDeclaration<S, Name extends string, A extends EndpointArgs, R, Out> {
  readonly name: Name;
  readonly path?: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly isExtra?: boolean;
  readonly methods?: readonly HttpMethod[];
  readonly args: A;
  readonly result: Form<R, Out>;
  readonly statuses?: readonly number[];
  readonly isBare?: boolean;
  readonly isUncounted?: boolean;
  readonly isGuarded?: boolean;
  readonly hasDeadline?: boolean;
  readonly cache?: CacheRule | ((args: ArgValues<A>) => CacheRule);
  readonly run: (services: S, args: ArgValues<A>, context: RequestContext) => R | Promise<R>;
}

/** A declaration that says what proves the answers: an endpoint that leaves it out does not compile. */
type ProvableDeclaration<S, Name extends string, A extends EndpointArgs, R, Out> = EndpointDeclaration<
  S,
  Name,
  A,
  R,
  Out
> & { readonly proof: ProofRule };

/** Makes the helper that declares endpoints whose answers may have proofs. */
export function provableEndpointsOver<S>() {
  return <const Name extends string, const A extends EndpointArgs, R, Out>(
    declaration: ProvableDeclaration<S, Name, A, R, Out>,
  ): Endpoint<S, Name, A, R, Out> => ({
    ...endpointsOver<S>()<Name, A, R, Out>(declaration),
    proof: declaration.proof,
  });
}

/** Makes the helper that declares endpoints over the given services; each API version has one. */
export function endpointsOver<S>() {
  return <const Name extends string, const A extends EndpointArgs, R, Out>(
    declaration: EndpointDeclaration<S, Name, A, R, Out>,
  ): Endpoint<S, Name, A, R, Out> => {
    const { cache = "none" } = declaration;
    return {
      path: declaration.name,
      description: "",
      isExtra: false,
      methods: ["GET", "POST"],
      statuses: [],
      isBare: false,
      isUncounted: false,
      isGuarded: false,
      hasDeadline: true,
      proof: unproved,
      ...declaration,
      cache: typeof cache === "function" ? cache : () => cache,
    };
  };
}

/**
 * The endpoints of tag files, which export nothing else, those of a file in the order of their names. That is the order
 * of exports in the language; a bundler or a test runner may have another one.
 */
export function endpointsIn<E>(files: readonly Readonly<Record<string, E>>[]): readonly E[] {
  return files.flatMap((file) =>
    Object.keys(file)
      .toSorted()
      .map((name) => file[name] as E),
  );
}

/** The type of an endpoint that one of the tag files exports. */
export type EndpointOf<File> = File extends unknown ? File[keyof File] : never;

/** The JSON form of an argument, if it does not follow from its value. */
export interface WireArg<T, In> extends Arg<T> {
  /** Never set: only its type is used. */
  readonly wire?: In;
}

/** The accepted types for a value of this type. */
type WireOf<T> = T extends bigint
  ? bigint | number | string
  : T extends number
    ? number | string
    : T extends boolean
      ? boolean
      : T extends readonly (infer Item)[]
        ? readonly WireOf<Item>[]
        : T extends undefined
          ? never
          : string;

type WireOfArg<X> = X extends WireArg<infer T, infer In> ? (unknown extends In ? WireOf<T> : In) : never;

/** The arguments of an endpoint as a caller passes them. */
export type WireArgs<A extends Args> = {
  readonly [K in keyof A as A[K] extends { readonly required: false } ? never : K]: WireOfArg<A[K]>;
} & {
  readonly [K in keyof A as A[K] extends { readonly required: false } ? K : never]?: WireOfArg<A[K]> | undefined;
};
