import type { Action } from "./Action.ts";

const v1 = [
  "call_contract",
  "contract_deploy",
  "ton_transfer",
  "stake_deposit",
  "stake_withdrawal",
  "stake_withdrawal_request",
  "dex_deposit_liquidity",
  "jetton_transfer",
  "nft_transfer",
  "nft_mint",
  "jetton_burn",
  "jetton_mint",
  "jetton_swap",
  "change_dns",
  "delete_dns",
  "renew_dns",
  "subscribe",
  "dex_withdraw_liquidity",
  "unsubscribe",
  "election_deposit",
  "election_recover",
  "auction_bid",
  "tick_tock",
];

const nftV3 = [
  "nft_put_on_sale",
  "nft_put_on_auction",
  "auction_outbid",
  "nft_cancel_sale",
  "nft_purchase",
  "nft_cancel_auction",
  "nft_finish_auction",
  "teleitem_start_auction",
  "teleitem_cancel_auction",
  "nft_update_sale",
  "dns_purchase",
  "dns_release",
];

const multisig = ["multisig_create_order", "multisig_approve", "multisig_execute"];
const vesting = ["vesting_send_message", "vesting_add_whitelist"];
const evaa = ["evaa_supply", "evaa_withdraw", "evaa_liquidate"];
const jvault = ["jvault_stake", "jvault_unstake", "jvault_claim", "jvault_unstake_request"];
const coffee = [
  "coffee_create_pool",
  "coffee_create_pool_creator",
  "coffee_create_vault",
  "coffee_staking_deposit",
  "coffee_staking_withdraw",
  "coffee_staking_claim_rewards",
  "coffee_mev_protect_hold_funds",
];
const layerzero = [
  "layerzero_send",
  "layerzero_send_tokens",
  "layerzero_receive",
  "layerzero_commit_packet",
  "layerzero_dvn_verify",
];
const cocoon = [
  "cocoon_worker_payout",
  "cocoon_proxy_payout",
  "cocoon_proxy_charge",
  "cocoon_client_top_up",
  "cocoon_register_proxy",
  "cocoon_unregister_proxy",
  "cocoon_client_register",
  "cocoon_client_change_secret_hash",
  "cocoon_client_request_refund",
  "cocoon_grant_refund",
  "cocoon_client_increase_stake",
  "cocoon_client_withdraw",
];
const tgbtc = [
  "tgbtc_dkg_log_fallback",
  "tgbtc_new_key",
  "tgbtc_new_key_fallback",
  "tgbtc_burn",
  "tgbtc_burn_fallback",
  "tgbtc_mint",
  "tgbtc_mint_fallback",
];

/** Names that stand for several types; they may name one another. v3.md §8.5. */
const shortcuts: Readonly<Record<string, readonly string[]>> = {
  v1,
  v2: [
    "v1",
    ...multisig,
    ...vesting,
    ...evaa,
    ...jvault,
    ...coffee,
    "coffee_mev_protect_failed_swap",
    "nft_discovery",
    "tonco_deploy_pool",
    "unknown",
  ],
  v3: ["v2", ...nftV3, ...layerzero],
  v4: ["v3", ...cocoon],
  latest: ["v4"],
  staking: ["stake_deposit", "stake_withdrawal", "stake_withdrawal_request"],
  jettons: ["jetton_transfer", "jetton_burn", "jetton_mint"],
  nft: ["nft_transfer", "nft_mint", "auction_bid"],
  "nft.v3": ["nft", ...nftV3],
  dns: ["change_dns", "delete_dns", "renew_dns", "dns_purchase", "dns_release"],
  "dns.v2": ["change_dns", "delete_dns", "renew_dns", "dns_purchase", "dns_release"],
  multisig,
  vesting,
  evaa,
  jvault,
  coffee,
  layerzero,
  cocoon,
  tgbtc,
};

/** The types a caller says it knows; those of v1 are known to everybody, and saying nothing means the latest. */
export function supportedTypes(names: readonly string[] = ["latest"]): ReadonlySet<string> {
  const types = new Set<string>();
  const seen = new Set<string>();
  const add = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const members = Object.hasOwn(shortcuts, name) ? shortcuts[name] : undefined;
    if (members === undefined) types.add(name);
    else members.forEach(add);
  };
  for (const name of ["v1", ...names]) add(name);
  return types;
}

/** Whether a caller is told the action: it knows its type, and none of the events around it. */
export function isVisible(
  { type, ancestors }: Pick<Action, "type" | "ancestors">,
  supported: ReadonlySet<string>,
): boolean {
  return supported.has(type) && !ancestors.some((ancestor) => supported.has(ancestor));
}
