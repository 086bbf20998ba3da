import { partyAddress, servedAddress } from "../../kit/addressFields.ts";
import { type Body, type BodyFields, bareOpcode, bareOpcodes, quietBody } from "../../kit/declare.ts";
import { coins, maybeRef, queryId, uint, uint32, uint64, uint256 } from "../../kit/fields.ts";
import { quietQueryBody } from "../../kit/queryBody.ts";

/** A body that ends with the account that receives the coins left over. */
function excessBody<F extends BodyFields>(name: string, opcode: number, fields: F) {
  return quietQueryBody(name, opcode, { ...fields, sendExcessesTo: partyAddress });
}

const payout = { queryId, tokens: uint64, expectedAddress: servedAddress };
export const cocoonPayoutPayload = quietBody("cocoon_payout_payload", 0xa040ad28, payout);
export const cocoonLastPayoutPayload = quietBody("cocoon_last_payout_payload", 0xf5f26a36, payout);
export const cocoonWorkerProxyRequest = quietQueryBody("cocoon_worker_proxy_request", 0x4d725d2c, {
  owner: partyAddress,
  state: uint(2),
  tokens: uint64,
  payload: maybeRef,
});
export const cocoonPayout = quietQueryBody("cocoon_payout", 0xc59a7cd3);
export const cocoonReturnExcessesBack = quietQueryBody("cocoon_return_excesses_back", 0x2565934c);

export const cocoonExtProxyPayoutRequest = excessBody("cocoon_ext_proxy_payout_request", 0x7610e6eb, {});
export const cocoonChargePayload = quietBody("cocoon_charge_payload", 0xbb63ff93, payout);
export const cocoonGrantRefundPayload = quietBody("cocoon_grant_refund_payload", 0xefd711e1, payout);
export const cocoonClientProxyRequest = bareOpcode("cocoon_client_proxy_request", 0x65448ff4);
export const cocoonClientProxyRefundGranted = bareOpcode("cocoon_client_proxy_refund_granted", 0xc68ebc7b);

export const cocoonExtClientTopUp = excessBody("cocoon_ext_client_top_up", 0xf172e6c2, { amount: coins });
export const cocoonRegisterProxy = quietQueryBody("cocoon_register_proxy", 0x927c7cb5);
export const cocoonUnregisterProxy = quietQueryBody("cocoon_unregister_proxy", 0x6d49eaf2, { seqno: uint32 });
export const cocoonOwnerClientRegister = excessBody("cocoon_owner_client_register", 0xc45f9f3b, { nonce: uint64 });
export const cocoonOwnerClientChangeSecretHash = excessBody("cocoon_owner_client_change_secret_hash", 0xa9357034, {
  newSecretHash: uint256,
});
export const cocoonOwnerClientRequestRefund = excessBody("cocoon_owner_client_request_refund", 0xfafa6cc1, {});
export const cocoonOwnerClientIncreaseStake = excessBody("cocoon_owner_client_increase_stake", 0x6a1f6a60, {
  newStake: coins,
});
export const cocoonOwnerClientWithdraw = excessBody("cocoon_owner_client_withdraw", 0xda068e78, {});

/** Sent by a wallet before a refund; the public index has no name for it. */
export const cocoonWalletRequest = bareOpcode("cocoon_wallet_request", 0x9c69f376);

/** Known by name only. */
const bare = bareOpcodes({
  cocoon_change_params: 0x022fa189,
  cocoon_worker_proxy_payout_request: 0x08e7d036,
  cocoon_upgrade_code: 0x11aefd51,
  cocoon_owner_worker_register: 0x26ed7f65,
  cocoon_del_proxy_type: 0x3c41d0b2,
  cocoon_upgrade_full: 0x4f7c5789,
  cocoon_reset_root: 0x563c1d96,
  cocoon_client_proxy_top_up: 0x5cfc6b87,
  cocoon_close_request_payload: 0x636a4391,
  cocoon_add_proxy_type: 0x71860e80,
  cocoon_owner_client_change_secret_hash_and_top_up: 0x8473b408,
  cocoon_del_worker_type: 0x8d94a79a,
  cocoon_del_model_type: 0x92b11c18,
  cocoon_ext_proxy_increase_stake: 0x9713f187,
  cocoon_update_proxy: 0x9c7924ba,
  cocoon_upgrade_contracts: 0xa2370f61,
  cocoon_client_proxy_register: 0xa35cb580,
  cocoon_owner_proxy_close: 0xb51d5a01,
  cocoon_add_model_type: 0xc146134d,
  cocoon_change_owner: 0xc4a1ae54,
  cocoon_change_fees: 0xc52ed8d4,
  cocoon_add_worker_type: 0xe34b1c60,
  cocoon_close_complete_request_payload: 0xe511abc7,
  cocoon_client_proxy_refund_force: 0xf4c354c9,
});

/** In the order they are tried. */
export const cocoonBodies: readonly Body<unknown>[] = [
  cocoonPayoutPayload,
  cocoonLastPayoutPayload,
  cocoonWorkerProxyRequest,
  cocoonPayout,
  cocoonReturnExcessesBack,
  cocoonExtProxyPayoutRequest,
  cocoonChargePayload,
  cocoonGrantRefundPayload,
  cocoonClientProxyRequest,
  cocoonClientProxyRefundGranted,
  cocoonExtClientTopUp,
  cocoonRegisterProxy,
  cocoonUnregisterProxy,
  cocoonOwnerClientRegister,
  cocoonOwnerClientChangeSecretHash,
  cocoonOwnerClientRequestRefund,
  cocoonOwnerClientIncreaseStake,
  cocoonOwnerClientWithdraw,
  ...bare,
];
