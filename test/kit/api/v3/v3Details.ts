import type { Types } from "./v3Notation.ts";

/**
 * The details of every action type, from section 4 of the contract on actions: names, then their type. All are present
 * and may be null, except those with a question mark, which are left out when empty. `null` marks a field that the
 * public service never fills.
 */
export const v3Details: Readonly<Record<string, string>> = {
  call_contract: "opcode?:opcode source? destination?:addr value?:dec extra_currencies:map",
  contract_deploy: "opcode?:opcode source? destination?:addr value?:dec",
  gasless_request: "source destination:addr value:dec",
  change_wallet_key:
    "source destination:addr value:dec new_public_key rotation_signature encrypted_old_private_key:text",
  dedust_v2_claim_fees:
    "dex:text source pool position asset_1 asset_2 user_jetton_wallet_1 user_jetton_wallet_2 dex_jetton_wallet_1 " +
    "dex_jetton_wallet_2:addr amount_1 amount_2:dec",
  dedust_v2_claim_reward: "dex:text source pool position asset user_jetton_wallet dex_jetton_wallet:addr amount:dec",
  ton_transfer: "source destination:addr value:dec value_extra_currencies:map comment:text encrypted:bool",
  tick_tock: "account:addr",
  jetton_transfer:
    "asset sender receiver sender_jetton_wallet receiver_jetton_wallet response_destination:addr " +
    "amount query_id forward_amount:dec comment:text is_encrypted_comment:bool custom_payload forward_payload:boc",
  jetton_mint: "asset receiver receiver_jetton_wallet:addr amount ton_amount:dec",
  jetton_burn: "owner owner_jetton_wallet asset:addr amount:dec",
  jetton_swap:
    "dex:text sender asset_in asset_out:addr dex_incoming_transfer dex_outgoing_transfer:SwapTransfer " +
    "peer_swaps:PeerSwap[] min_out_amount?:dec",
  SwapTransfer: "asset source destination source_jetton_wallet destination_jetton_wallet:addr amount:dec",
  PeerSwap: "asset_in asset_out:addr amount_in amount_out:dec",
  dex_deposit_liquidity:
    "dex:text amount_1 amount_2 lp_tokens_minted target_amount_1 target_amount_2 tick_lower tick_upper nft_index:dec " +
    "asset_1 asset_2 user_jetton_wallet_1 user_jetton_wallet_2 source pool destination_liquidity:addr " +
    "target_asset_1 target_asset_2 nft_address:addr vault_excesses:Excess[]",
  Excess: "asset:addr amount:dec",
  dex_withdraw_liquidity:
    "dex:text amount_1 amount_2 lp_tokens_burnt burnt_nft_index tick_lower tick_upper:dec is_refund:null " +
    "asset_1 asset_2 user_jetton_wallet_1 user_jetton_wallet_2 source pool destination_liquidity burnt_nft_address:addr",
  nft_mint: "owner? nft_item nft_collection:addr nft_item_index:dec",
  "nft_transfer nft_purchase":
    "nft_collection nft_item old_owner? new_owner response_destination real_old_owner marketplace_address:addr " +
    "payout_address royalty_address:addr nft_item_index price? query_id forward_amount payout_amount royalty_amount:dec " +
    "is_purchase is_encrypted_comment payout_comment_encrypted payout_comment_encoded:bool " +
    "custom_payload forward_payload:boc comment marketplace payout_comment:text",
  nft_put_on_sale:
    "nft_collection nft_item owner listing_address sale_address marketplace_address:addr marketplace:text " +
    "marketplace_fee_address royalty_address:addr nft_item_index full_price marketplace_fee royalty_amount:dec",
  "nft_put_on_auction teleitem_start_auction":
    "nft_collection nft_item owner listing_address auction_address marketplace_address:addr marketplace:text " +
    "marketplace_fee_address royalty_address:addr nft_item_index max_bid min_bid:dec " +
    "marketplace_fee_factor marketplace_fee_base royalty_fee_base:dec",
  nft_cancel_sale: "owner nft_item nft_collection sale_address marketplace_address:addr marketplace:text",
  "nft_cancel_auction nft_finish_auction teleitem_cancel_auction":
    "owner nft_item nft_collection auction_address marketplace_address:addr marketplace:text",
  nft_update_sale:
    "source sale_contract nft_address marketplace_address:addr marketplace:text " +
    "full_price marketplace_fee royalty_amount:dec",
  nft_discovery: "source nft_item nft_collection:addr nft_item_index:dec",
  auction_bid: "amount nft_item_index:dec bidder auction nft_item nft_collection:addr",
  auction_outbid:
    "auction_address bidder new_bidder nft_item nft_collection:addr amount:dec comment? marketplace?:text",
  change_dns: "key:text value:DnsValue source asset nft_collection:addr",
  DnsValue:
    "sum_type dns_adnl_address dns_text dns_storage_address:text dns_smc_address dns_next_resolver_address:addr flags:num",
  delete_dns: "hash:text source asset nft_collection:addr",
  renew_dns: "source asset nft_collection:addr",
  dns_purchase: "nft_collection nft_item new_owner:addr nft_item_index price query_id payout_amount:dec",
  dns_release: "query_id nft_item_index value:dec source nft_item nft_collection:addr",
  "election_deposit election_recover": "stake_holder:addr amount?:dec",
  stake_deposit: "provider:text stake_holder pool asset source_asset?:addr amount tokens_minted:dec",
  stake_withdrawal: "provider:text stake_holder pool payout_nft asset:addr amount tokens_burnt:dec",
  stake_withdrawal_request: "provider:text stake_holder pool payout_nft asset:addr tokens_burnt tokens_minted?:dec",
  subscribe: "subscriber beneficiary? subscription:addr amount:dec",
  unsubscribe: "subscriber beneficiary? subscription:addr amount?:dec",
  multisig_create_order:
    "query_id order_seqno:dec is_created_by_signer is_signed_by_creator:bool creator_index expiration_date:num " +
    "order_boc:boc source destination destination_order:addr",
  multisig_approve: "signer_index exit_code:num source destination:addr",
  multisig_execute:
    "query_id order_seqno:dec expiration_date approvals_num:num signers_hash:text order_boc:boc source destination:addr",
  vesting_send_message: "query_id amount:dec message_boc:boc source vesting destination:addr",
  vesting_add_whitelist: "query_id:dec accounts_added:addr[] source vesting:addr",
  evaa_supply:
    "sender_jetton_wallet:null recipient_jetton_wallet master_jetton_wallet master source source_wallet recipient:addr " +
    "recipient_contract asset:addr asset_id:text is_ton:bool amount:dec",
  evaa_withdraw:
    "recipient_jetton_wallet master_jetton_wallet master source recipient owner_contract asset:addr " +
    "fail_reason asset_id:text amount:dec",
  evaa_liquidate:
    "fail_reason asset_id:text collateral debt_amount amount:dec source borrower borrower_contract asset:addr " +
    "is_known_asset:bool",
  jvault_stake:
    "period:num minted_stake_jettons:null amount:dec stake_wallet source source_jetton_wallet asset pool:addr",
  "jvault_unstake jvault_unstake_request": "source stake_wallet pool asset staking_asset:addr amount:dec exit_code:num",
  jvault_claim: "claimed_rewards:Reward[] source stake_wallet pool:addr",
  Reward: "jetton:addr amount:dec",
  tonco_deploy_pool:
    "source pool router router_jetton_wallet_1 router_jetton_wallet_2 jetton_minter_1 jetton_minter_2:addr " +
    "tick_spacing initial_price_x96 protocol_fee lp_fee_base lp_fee_current:dec pool_active:bool",
  coffee_create_pool:
    "source source_jetton_wallet initiator_1 initiator_2 pool pool_creator_contract provided_asset asset_1 asset_2:addr " +
    "amount amount_1 amount_2 lp_tokens_minted:dec",
  coffee_create_pool_creator:
    "source source_jetton_wallet deposit_recipient pool_creator_contract provided_asset asset_1 asset_2:addr amount:dec",
  coffee_create_vault: "source vault asset:addr value:dec",
  coffee_staking_deposit:
    "source source_jetton_wallet pool pool_jetton_wallet asset minted_item_address:addr amount minted_item_index:dec",
  coffee_staking_withdraw:
    "source source_jetton_wallet pool pool_jetton_wallet asset nft_address:addr amount nft_index points:dec",
  coffee_staking_claim_rewards: "pool pool_jetton_wallet recipient recipient_jetton_wallet asset:addr amount:dec",
  coffee_mev_protect_hold_funds:
    "source source_jetton_wallet mev_contract asset:addr mev_contract_jetton_wallet:null amount:dec",
  layerzero_send: "initiator:addr layerzero_send_data:LzSend layerzero_packet_data:LzPacket",
  layerzero_send_tokens:
    "sender sender_wallet oapp oapp_wallet asset:addr amount:dec layerzero_send_data:LzSend " +
    "layerzero_packet_data:LzPacket",
  layerzero_receive: "sender oapp channel:addr layerzero_packet_data:LzPacket",
  layerzero_commit_packet:
    "sender endpoint uln uln_connection channel msglib_connection:addr layerzero_packet_data:LzPacket",
  layerzero_dvn_verify: "initiator dvn proxy uln uln_connection:addr nonce:num status:text",
  LzSend: "send_request_id native_fee zro_fee:num msglib_manager msglib:text uln endpoint channel:addr",
  LzPacket: "src_oapp dst_oapp guid message:text src_eid dst_eid nonce:num",
  "tgbtc_mint tgbtc_mint_fallback": "source destination asset destination_wallet:addr amount:dec bitcoin_tx_id:text",
  "tgbtc_burn tgbtc_burn_fallback": "source source_wallet destination asset:addr amount:dec",
  "tgbtc_new_key tgbtc_new_key_fallback": "source coordinator pegout:addr asset:null pubkey:text amount:dec",
  tgbtc_dkg_log_fallback: "coordinator:addr pubkey:text timestamp:dec",
  cocoon_worker_payout:
    "payout_type:text query_id new_tokens worker_tokens amount:dec worker_state:num source destination:addr",
  cocoon_proxy_payout: "query_id:dec source destination:addr",
  cocoon_proxy_charge: "query_id new_tokens_used:dec expected_address source destination:addr",
  cocoon_client_top_up: "query_id amount:dec source destination:addr",
  cocoon_register_proxy: "query_id:dec destination:addr",
  cocoon_unregister_proxy: "query_id:dec seqno:num destination:addr",
  cocoon_client_register: "query_id nonce:dec source destination:addr",
  cocoon_client_change_secret_hash: "query_id:dec new_secret_hash:text source destination:addr",
  cocoon_client_request_refund: "query_id:dec via_wallet:bool source destination:addr",
  cocoon_grant_refund: "query_id new_tokens_used amount:dec expected_address source destination:addr",
  cocoon_client_increase_stake: "query_id new_stake amount:dec source destination:addr",
  cocoon_client_withdraw: "query_id withdraw_amount amount:dec source destination:addr",
  "unknown coffee_mev_protect_failed_swap": "error:text",
};

/** The type of one detail, and whether it is left out when empty. */
export interface Detail {
  readonly kind: string;
  readonly isOptional: boolean;
}

/** The details of an action type, or of a part of one, by name. */
export function detailsOf(type: string): ReadonlyMap<string, Detail> | undefined {
  const found = Object.entries(v3Details).find(([types]) => types.split(" ").includes(type));
  if (found === undefined) return undefined;
  const details = new Map<string, Detail>();
  let waiting: string[] = [];
  for (const word of found[1].split(" ")) {
    const [name = "", kind] = word.split(":");
    waiting.push(name);
    if (kind === undefined) continue;
    for (const each of waiting) details.set(each.replace("?", ""), { kind, isOptional: each.endsWith("?") });
    waiting = [];
  }
  return details;
}

/** The same in the notation of answer types. */
export const detailTypes: Types = Object.fromEntries(
  Object.keys(v3Details)
    .flatMap((types) => types.split(" "))
    .map((type) => {
      const notationOf = ({ kind, isOptional }: Detail) =>
        `${kind === "text" ? "string" : kind}${isOptional ? "?" : kind === "null" ? "" : "|null"}`;
      return [type, Object.fromEntries([...(detailsOf(type) ?? [])].map(([name, each]) => [name, notationOf(each)]))];
    }),
);
