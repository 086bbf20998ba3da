import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { Details } from "./details.ts";

/** One action of a trace, ready to be stored and shown. */
export interface Action {
  readonly id: Hash;
  readonly type: string;
  /** The displayed type: transfers of extra currencies have their own name. */
  readonly shownType: string;
  readonly traceId: Hash;
  readonly transactions: readonly Hash[];
  readonly startLt: bigint;
  readonly startAt: number;
  readonly endLt: bigint;
  readonly endAt: number;
  readonly success: boolean;
  /** Accounts by which the action is found. */
  readonly accounts: readonly Address[];
  /** The enclosing events, outermost first; the action is hidden where one of them is shown. */
  readonly ancestors: readonly string[];
  readonly parentId: Hash | undefined;
  /** As the API shows them, addresses in upper-case raw form, amounts as decimal text; see also `parentRequest.ts`. */
  readonly details: Details;
}
