import type { Cell } from "../../../cell/Cell.ts";
import type { Address } from "../../../model/Address.ts";
import type { Comment } from "../../kit/comment.ts";

/** The first field of nearly all bodies. */
export interface WithQueryId {
  readonly queryId: bigint;
}

/** The payload of a jetton transfer: its kind by its opcode, empty without a payload. */
export type PayloadKind = "" | "TextComment" | "EncryptedTextComment" | "StonfiSwap" | "Unknown";

export interface StonfiSwap {
  readonly jettonWallet: Address | undefined;
  readonly minAmount: bigint;
  readonly user: Address | undefined;
}

/** The fields of each kind of body. */
export interface OrderBodies {
  ton_transfer: { readonly comment: Comment | undefined };
  jetton_transfer: WithQueryId & {
    readonly amount: bigint;
    readonly destination: Address | undefined;
    readonly response: Address | undefined;
    readonly customPayload: Cell | undefined;
    readonly forwardAmount: bigint;
    readonly forwardPayload: Cell | undefined;
    readonly payloadKind: PayloadKind;
    readonly comment: Comment | undefined;
    readonly swap: StonfiSwap | undefined;
  };
  jetton_burn: WithQueryId & { readonly amount: bigint; readonly response: Address | undefined };
  jetton_mint: WithQueryId & {
    readonly opcode: number;
    readonly to: Address | undefined;
    readonly tonAmount: bigint;
    readonly masterQueryId: bigint;
    readonly jettonAmount: bigint;
  };
  nft_transfer: WithQueryId & {
    readonly newOwner: Address | undefined;
    readonly response: Address | undefined;
    readonly customPayload: Cell | undefined;
    readonly forwardAmount: bigint;
    readonly forwardPayload: Cell | undefined;
  };
  jetton_top_up: WithQueryId;
  jetton_change_admin: WithQueryId & { readonly newAdmin: Address | undefined };
  jetton_claim_admin: WithQueryId;
  jetton_change_content: WithQueryId & { readonly url: string };
  jetton_call_to: WithQueryId & {
    readonly to: Address | undefined;
    readonly tonAmount: bigint;
    readonly actionKind: "JettonSetStatus" | "JettonTransfer" | "JettonBurn" | "Unknown";
    readonly action: Cell;
  };
  jetton_set_status: WithQueryId & { readonly status: number };
  single_nominator_withdraw: WithQueryId & { readonly coins: bigint };
  single_nominator_change_validator: WithQueryId & { readonly validator: Address | undefined };
  vesting_internal_transfer: WithQueryId & {
    readonly sendMode: number;
    readonly destination: Address | undefined;
    readonly value: bigint;
    readonly body: Cell;
    readonly comment: Comment | undefined;
  };
  multisig_update_params: {
    readonly threshold: number;
    readonly signers: readonly Address[];
    readonly proposers: readonly Address[];
  };
  unknown: { readonly opcode: number; readonly data: Cell };
}

export type OrderBodyKind = keyof OrderBodies;
export type OrderBodyOf<K extends OrderBodyKind> = { readonly kind: K } & OrderBodies[K];

/** The message of an order, or its change of the multisig wallet itself. */
export type OrderBody = { [K in OrderBodyKind]: OrderBodyOf<K> }[OrderBodyKind];

/** The accounts that a body names. */
export function addressesOf(body: OrderBody): readonly (Address | undefined)[] {
  switch (body.kind) {
    case "jetton_transfer":
      return [body.destination, body.response, body.swap?.jettonWallet, body.swap?.user];
    case "nft_transfer":
      return [body.newOwner, body.response];
    case "jetton_burn":
      return [body.response];
    case "jetton_mint":
    case "jetton_call_to":
      return [body.to];
    case "jetton_change_admin":
      return [body.newAdmin];
    case "single_nominator_change_validator":
      return [body.validator];
    case "vesting_internal_transfer":
      return [body.destination];
    case "multisig_update_params":
      return [...body.signers, ...body.proposers];
    default:
      return [];
  }
}
