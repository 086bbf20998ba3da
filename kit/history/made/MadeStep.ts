import type { Address } from "../../../src/model/Address.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import type { MadeBody } from "./madeChain.ts";

/** An account of the synthetic chain: its number, address and code. */
export interface Party {
  readonly number: number;
  readonly address: Address;
  readonly code: number;
}

/** One message of a synthetic trace that causes one transaction. */
export interface MadeStep {
  readonly from: Party | undefined;
  readonly to: Party;
  readonly body: MadeBody;
}

/** The action of a synthetic trace, as the rows of its accounts have it. */
export interface MadeAction {
  readonly type: string;
  readonly traceId: Hash;
  readonly actionId: Hash;
  readonly endLt: bigint;
  readonly endUtime: number;
}
