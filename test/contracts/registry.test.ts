import { describe, expect, it } from "vitest";
import { findOpcodeName } from "../../src/contracts/decode.ts";
import type { Matcher } from "../../src/contracts/engine/matcher.ts";
import { failedExternalMatchers, families, matchers } from "../../src/contracts/registry.ts";

const bodies = families.flatMap((family) => family.bodies);
const signedBodies = families.flatMap((family) => family.signedBodies);

/** One or two opcodes of every family, and every opcode with several names, in the order they are tried. */
const expected: readonly { readonly opcode: number; readonly names: readonly string[] }[] = [
  { opcode: 0x00000000, names: ["text_comment"] },
  {
    opcode: 0x00000001,
    names: [
      "evaa_supply_master,pyth_update_guardian_set,w4_deploy_install_plugin",
      "pyth_update_guardian_set",
      "evaa_supply_master",
    ],
  },
  { opcode: 0x000011ae, names: ["evaa_supply_excess_with_data", "evaa_supply_excess"] },
  { opcode: 0x012e8f40, names: ["logs"] },
  { opcode: 0x0a9577f0, names: ["coffee_staking_update_rewards", "coffee_staking_rewards_updated"] },
  { opcode: 0x0c0ffede, names: ["coffee_staking_lock_forward_payload"] },
  { opcode: 0x0e0620c2, names: ["init_payment_channel"] },
  { opcode: 0x0f8a7ea5, names: ["jetton_transfer"] },
  { opcode: 0x107c49ef, names: ["offer_storage_contract"] },
  { opcode: 0x132f9a45, names: ["tonstake_nft_init"] },
  { opcode: 0x1596920c, names: ["whales_nominators_force_kick"] },
  { opcode: 0x178d4519, names: ["jetton_internal_transfer"] },
  { opcode: 0x1bba3896, names: ["bidask_swap_fallback_v2", "bidask_swap_fallback"] },
  { opcode: 0x2167da4b, names: ["encrypted_text_comment", "encrypted_text_comment_forward_payload"] },
  { opcode: 0x25938561, names: ["stonfi_swap", "stonfi_swap_forward_payload"] },
  { opcode: 0x27756729, names: ["tgbtc_new_key_event"] },
  { opcode: 0x299a3e15, names: ["teleitem_msg_deploy", "teleitem_msg_deploy_head"] },
  { opcode: 0x37c096df, names: ["stonfi_provide_lp_v2", "stonfi_provide_lp_v2_forward_payload"] },
  { opcode: 0x40e108d6, names: ["dedust_deposit_liquidity"] },
  { opcode: 0x4253c4d5, names: ["bemo_stake"] },
  { opcode: 0x4468de77, names: ["tonco_pool_fund_account", "tonco_pool_fund_account_payload"] },
  { opcode: 0x4e73744b, names: ["elector_new_stake"] },
  { opcode: 0x4eb1f0f9, names: ["change_dns_record", "delete_dns_record"] },
  { opcode: 0x53684037, names: ["tonkeeper_2fa_signed"] },
  { opcode: 0x5445efee, names: ["hipo_finance_tokens_minted"] },
  { opcode: 0x600c00fd, names: ["tegro_swap_ton"] },
  { opcode: 0x60dfc677, names: ["storm_update_position"] },
  { opcode: 0x6664de2a, names: ["stonfi_swap_v2", "stonfi_swap_v2_forward_payload"] },
  { opcode: 0x67617302, names: ["gas_pump_buy_log"] },
  { opcode: 0x6c6c2080, names: ["sale_update_message"] },
  { opcode: 0x706c7567, names: ["payment_request"] },
  { opcode: 0x7362d09c, names: ["jetton_notify", "megaton_swap"] },
  { opcode: 0x7369676e, names: ["w5_external_signed_request"] },
  { opcode: 0x742b36d8, names: ["blum_memepad_sell"] },
  { opcode: 0x78d9f109, names: ["jvault_claim_rewards_msg"] },
  { opcode: 0x7aa23eb5, names: ["invoice_payload", "invoice_payload_forward_payload"] },
  { opcode: 0x87d36990, names: ["bidask_internal_swap_v2", "bidask_swap_v2", "bidask_swap_v2_forward_payload"] },
  { opcode: 0xa1daa96d, names: ["tonco_router_pay_to_normal", "tonco_router_pay_to_exit_code_201"] },
  { opcode: 0xa7733acd, names: ["vesting_send_message"] },
  { opcode: 0xb30c7310, names: ["coffee_staking_claim_rewards", "coffee_staking_rewards_claimed"] },
  { opcode: 0xb37a900b, names: ["moon_swap", "moon_swap_forward_payload"] },
  { opcode: 0xbbe27821, names: ["cron_destroyed"] },
  { opcode: 0xc59a7cd3, names: ["cocoon_payout"] },
  { opcode: 0xd55e4686, names: ["dedust_deposit_liquidity"] },
  { opcode: 0xf718510f, names: ["mulisig_new_order"] },
  { opcode: 0xffffffff, names: ["bounce"] },
];

describe("the registry", () => {
  it.each(expected)("knows $names", ({ opcode, names }) => {
    const found = bodies.filter((body) => body.opcode === opcode).map((body) => body.name);
    expect([...new Set(found)]).toEqual(names);
    expect(findOpcodeName(opcode)).toBe(names[0]);
  });

  it("has a name for 499 opcodes", () => {
    expect(new Set(bodies.map(({ opcode }) => opcode)).size).toBe(499);
  });

  it("lists a name twice for an opcode only if it has two layouts", () => {
    const twice = bodies.filter((body, i) =>
      bodies.some((other, j) => j < i && other.opcode === body.opcode && other.name === body.name),
    );
    expect(twice.map(({ name }) => name).sort()).toEqual([
      "dedust_deposit_liquidity",
      "jetton_internal_transfer",
      "text_comment",
    ]);
    expect(twice.every(({ show }) => show !== undefined)).toBe(true);
  });

  it("keeps opcodes within 32 bits", () => {
    expect(bodies.filter(({ opcode }) => opcode !== opcode >>> 0)).toEqual([]);
  });

  it("tries signed bodies from the specific to the general", () => {
    expect(signedBodies.map(({ name }) => name)).toEqual([
      "preprocessed_wallet_signed_v2",
      "highload_wallet_signed_v3",
      "highload_wallet_signed_v2",
      "highload_wallet_signed_v1",
      "wallet_signed_v4",
      "wallet_signed_v3",
      "wallet_signed_v1_v2",
    ]);
  });
});

describe("the order of matchers", () => {
  it("has every matcher of every family exactly once", () => {
    const declared = families.flatMap((family) => Object.values<Matcher>(family.matchers));
    const ordered = [...matchers, ...failedExternalMatchers];
    expect(new Set(ordered).size).toBe(ordered.length);
    expect(new Set(ordered)).toEqual(new Set(declared));
  });

  it("has a unique name for every matcher, so that failures can be counted by name", () => {
    const names = [...matchers, ...failedExternalMatchers].map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});
