import type { AdnlAddress } from "../../lite/adnl/AdnlClient.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";

/** Where a network is answered for. */
export interface ListenPlace {
  readonly host: string;
  /** Zero takes any free one. */
  readonly port: number;
  /** By which name of that place; none: by any that no other network has. */
  readonly hostNames: readonly string[];
}

/** A lite server of a network. */
export interface NetworkServer extends AdnlAddress {
  /** Only callers with a key are answered from it. */
  readonly isPrivate: boolean;
}

/** The network that this program makes itself. */
export interface LocalPlan {
  readonly kind: "local";
  readonly name: string;
  readonly place: ListenPlace;
}

/** A network that lite servers tell of. */
export interface RemotePlan {
  readonly kind: "remote";
  readonly name: string;
  readonly place: ListenPlace;
  /** Where the facts come from, for people. */
  readonly origin: string;
  readonly zeroState: BlockIdExt;
  readonly initBlock: BlockIdExt;
  readonly servers: readonly NetworkServer[];
  /** `trust` believes what servers say of their head. */
  readonly proofs: "check" | "trust";
}

/** A network as it is going to be served. */
export type NetworkPlan = LocalPlan | RemotePlan;

/** How a server is called: names differ within a network. */
export function serverName({ host, port }: AdnlAddress): string {
  return `${host}:${port}`;
}
