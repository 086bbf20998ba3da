import type { Form } from "../../lib/kit/shape.ts";
import type { Address } from "../../model/Address.ts";
import { type DetailFields, type Details, details } from "./details.ts";

/** The parties of an action; a query for any of them finds it. */
export interface Parties {
  readonly source?: Address | undefined;
  readonly sourceSecondary?: Address | undefined;
  readonly destination?: Address | undefined;
  readonly destinationSecondary?: Address | undefined;
}

/** The parties on both sides, each with its wallet or another contract of its own. */
export function between(
  [source, sourceSecondary]: readonly [Address | undefined, Address | undefined],
  [destination, destinationSecondary]: readonly [Address | undefined, Address | undefined],
): Parties {
  return { source, sourceSecondary, destination, destinationSecondary };
}

/** One kind of action: its data and how they are shown. */
export interface NodeKind<T> {
  /** The internal name: part of action ids and of ancestor lists. */
  readonly name: string;
  /** The displayed action type. */
  readonly type: string;
  /** Whether its parts are shown too, as child actions. */
  readonly showsParts: boolean;
  parties(data: T): Parties;
  /** Accounts by which the action is found, besides its parties and transactions. */
  mentions(data: T): readonly (Address | undefined)[];
  readonly details: Form<T, Details>;
}

export interface KindDeclaration<T> {
  readonly type: string;
  readonly name?: string;
  readonly showsParts?: boolean;
  readonly parties?: (data: T) => Parties;
  readonly mentions?: (data: T) => readonly (Address | undefined)[];
  readonly details: DetailFields<T>;
}

export function kind<T>(declaration: KindDeclaration<T>): NodeKind<T> {
  const { type, name = type, showsParts = false } = declaration;
  const { parties = () => ({}), mentions = () => [] } = declaration;
  return { name, type, showsParts, parties, mentions, details: details(declaration.details) };
}
