import type { Cell } from "../../cell/Cell.ts";
import type { Address } from "../../model/Address.ts";
import type { TraceMessage } from "../../model/Trace.ts";
import type { Contract } from "../kit/contract.ts";
import type { Body, OpenBody } from "../kit/declare.ts";
import type { Entity } from "../kit/entity.ts";
import type { KnownAnswer } from "../kit/knownAnswer.ts";
import type { Facts } from "./Facts.ts";
import type { Matcher } from "./matcher.ts";
import type { TraceNode } from "./TraceNode.ts";

/** The facts that may name further accounts. */
export type NamingFacts = Pick<Facts, "findData" | "findNftAuction">;

/** The facts needed before a trace can be classified. */
export interface NeededFacts {
  /** Accounts whose indexed data is needed: wallet, item, sale, auction, order, pool, code. */
  readonly accounts: readonly Address[];
  /** Accounts whose data cell is needed too. */
  readonly data: readonly Address[];
}

/** A body or payload that names accounts that may not be part of the trace. */
export interface AccountNaming {
  readonly opcode: number;
  list(cell: Cell): readonly (Address | undefined)[];
}

/** The accounts of a decoded body. */
export function naming<T>(body: Body<T>, list: (value: T) => readonly (Address | undefined)[]): AccountNaming {
  return {
    opcode: body.opcode,
    list: (cell) => {
      const value = body.find(cell);
      return value === undefined ? [] : list(value);
    },
  };
}

/** The facts that a family needs beyond the accounts of the trace. */
export interface FactNeeds {
  readonly inBodies?: readonly AccountNaming[];
  /** In payloads that come with jettons or wrapped TON. */
  readonly inPayloads?: readonly AccountNaming[];
  /** The payload of a body of the family. */
  readonly payloadOf?: (body: Cell) => Cell | undefined;
  /** What a message needs beyond its parties. */
  readonly forMessage?: (message: TraceMessage, known: NamingFacts) => NeededFacts;
  /** Accounts that the facts of an account name. */
  readonly forAccount?: (account: Address, known: NamingFacts) => readonly (Address | undefined)[];
}

/** Versions of the public set of action types; each includes the ones before it. */
export const typeVersions = ["v1", "v2", "v3", "v4", "v5"] as const;
export type TypeVersion = (typeof typeVersions)[number];

/** Action types of a family by the version that added them, and the named sets they belong to. v3.md §8.5. */
export interface FamilyTypes extends Readonly<Partial<Record<TypeVersion, readonly string[]>>> {
  /** Several families may add to one set; a set may name another set. */
  readonly sets?: Readonly<Record<string, readonly string[]>>;
}

export type Matchers = Readonly<Record<string, Matcher>>;

/** A kind of entity that detection looks for. */
export type EntityKind<Found = unknown> = Pick<Entity<unknown, Found>, "mayBe" | "find">;

export interface FamilyDeclaration<K extends EntityKind, M extends Matchers> {
  /** Where an opcode has several layouts they are tried in this order, and the first name is its name. */
  readonly bodies?: readonly Body<unknown>[];
  /** Bodies that begin with a signature, in the order they are tried. */
  readonly signedBodies?: readonly OpenBody<unknown>[];
  readonly interfaces?: readonly Contract[];
  /** Interfaces whose accounts are never entities, so that detection skips them. */
  readonly plainInterfaces?: readonly Contract[];
  /** Contracts that the public index has no name for: their ABIs are found by code or address. */
  readonly described?: readonly Contract[];
  readonly entities?: readonly K[];
  readonly knownAnswers?: readonly KnownAnswer[];
  /** The registry has their order among those of all families. */
  readonly matchers?: M;
  /** Merges actions when all matchers have run. */
  readonly regroup?: ((nodes: readonly TraceNode[]) => readonly TraceNode[]) | undefined;
  readonly types?: FamilyTypes;
  readonly facts?: FactNeeds;
}

/** Everything the service knows about one family of contracts. */
export type Family<K extends EntityKind = EntityKind, M extends Matchers = Matchers> = Required<
  FamilyDeclaration<K, M>
>;

/** The detected values of the entities of a family. */
export type FoundBy<F extends Family> = F extends { readonly entities: readonly (infer K)[] }
  ? K extends EntityKind<infer Found>
    ? Found
    : never
  : never;

/** Declares a family. */
export function declareFamily<K extends EntityKind = never, const M extends Matchers = Readonly<Record<never, never>>>(
  declaration: FamilyDeclaration<K, M>,
): Family<K, M> {
  return {
    bodies: [],
    signedBodies: [],
    interfaces: [],
    plainInterfaces: [],
    described: [],
    entities: [],
    knownAnswers: [],
    // Omitted only where M has no members.
    matchers: {} as M,
    regroup: undefined,
    types: {},
    facts: {},
    ...declaration,
  };
}
