import { declareFamily } from "../engine/declareFamily.ts";
import { contract } from "../kit/contract.ts";
import { bareOpcodes } from "../kit/declare.ts";

/*
 * Families of contracts that are only recognized: by the names of their opcodes and by their code or methods. They have
 * no layouts, entities or actions.
 */

const airdropInterlockerV1 = contract({
  name: "airdrop_interlocker_v1",
  codes: ["rNK47E23QUOW+lNphlPswEpBbuNknY9bILQfF2rYM/A="],
  methods: ["get_contract_data"],
});

const airdropInterlockerV2 = contract({
  name: "airdrop_interlocker_v2",
  codes: ["D/RKlvwkgRESNtjZkg/W4pthCCFePsW6dh6tlgKtraQ="],
  methods: ["get_distribution_info", "get_unlocks_info", "get_available_claim_amount"],
});

/** Airdrop contracts that lock jettons. */
export const airdrop = declareFamily({ interfaces: [airdropInterlockerV1, airdropInterlockerV2] });

/** bemo liquid staking. */
export const bemo = declareFamily({
  bodies: bareOpcodes({
    bemo_deploy_unstake_request: 0x10a1ce75,
    bemo_return_unstake_request: 0x38633538,
    bemo_stake: 0x4253c4d5,
    bemo_unstake: 0x492ab1b3,
    bemo_unstake_notification: 0x90c80a07,
  }),
});

/** The Blum memepad. */
export const blum = declareFamily({
  bodies: bareOpcodes({
    blum_memepad_send_liq_log: 0x30c7219b,
    blum_memepad_sell: 0x742b36d8,
    blum_memepad_buy: 0xaf750d34,
    blum_memepad_buy_log: 0xceac8af4,
    blum_memepad_sell_log: 0xef2e2def,
    blum_memepad_unlock_wallet: 0xf0fd50bb,
  }),
});

const paymentChannel = contract({
  name: "payment_channel",
  methods: ["get_channel_data"],
});

/** Payment channels. */
export const channels = declareFamily({
  bodies: bareOpcodes({
    challenge_quarantined_channel_state: 0x088eaa32,
    init_payment_channel: 0x0e0620c2,
    start_uncooperative_channel_close: 0x1f151acf,
    finish_uncooperative_channel_close: 0x25432a91,
    channel_cooperative_close: 0x5577587e,
    settle_channel_conditionals: 0x66f6f069,
    top_up_channel_balance: 0x67c7d281,
    channel_cooperative_commit: 0x79a126ef,
    channel_closed: 0xdddc88ba,
  }),
  interfaces: [paymentChannel],
});

const cronContract = contract({
  name: "cron",
  methods: ["get_cron_info"],
});

/** Contracts that are called on a schedule. */
export const cron = declareFamily({
  bodies: bareOpcodes({
    cron_trigger: 0x2114702d,
    cron_reward: 0x2e04891a,
    cron_init: 0x2e41d3ac,
    w5_dns_renewal_calc_and_topup: 0x56f6110e,
    cron_destroyed: 0xbbe27821,
    cron_notify: 0xd027efe5,
  }),
  interfaces: [cronContract],
});

const daolamaVault = contract({
  name: "daolama_vault",
  methods: ["get_pool_data"],
});

/** DAOLama vaults. */
export const daolama = declareFamily({ interfaces: [daolamaVault] });

/** The GasPump memepad. */
export const gaspump = declareFamily({
  bodies: bareOpcodes({
    gas_pump_buy_log: 0x67617302,
    gas_pump_sell_log: 0x67617303,
    gas_pump_send_to_pool_log: 0x67617305,
    gas_pump_change_trade_state_log: 0x67617306,
  }),
});

/** Hipo liquid staking. */
export const hipo = declareFamily({
  bodies: bareOpcodes({
    hipo_finance_deposit_coins: 0x3d3761a6,
    hipo_finance_tokens_minted: 0x5445efee,
    hipo_finance_proxy_tokens_minted: 0x5be57626,
  }),
});

/** Payloads of invoices. */
export const invoices = declareFamily({
  bodies: bareOpcodes({
    invoice_payload: 0x7aa23eb5,
    invoice_payload_forward_payload: 0x7aa23eb5,
  }),
});

const lockerContract = contract({
  name: "locker",
  methods: ["get_locker_data", "get_bill_address"],
});

const lockerBill = contract({
  name: "locker_bill",
  methods: ["get_locker_bill_data"],
});

/** Lockers of coins and their bills. */
export const locker = declareFamily({ interfaces: [lockerContract, lockerBill] });

const lockupVesting = contract({
  name: "lockup_vesting",
  methods: ["get_lockup_data"],
});

const lockupUniversal = contract({
  name: "lockup_universal",
  methods: ["get_balances"],
});

/** Lockup wallets. */
export const lockup = declareFamily({ interfaces: [lockupVesting, lockupUniversal] });

/** Opcodes of contracts without a family; only their names are known. */
export const lone = declareFamily({
  bodies: bareOpcodes({
    logs: 0x012e8f40,
    credit: 0x1690c604,
    lock_and_claim: 0x3a86f1a0,
    gram_submit_proof_of_work: 0x4d696e65,
    daolama_vault_supply: 0x5c11ada9,
    approve: 0x7b4b42e6,
    scaled_ui_display_multiplier_changed: 0xac392598,
    nerd_qr_verify: 0xccc2c823,
    top_up: 0xd372158c,
    disapprove: 0xe8a0abfe,
  }),
});

const megatonfiRouter = contract({
  name: "megatonfi_router",
  methods: ["get_mining_data", "get_lp_data"],
});

const megatonfiExchange = contract({
  name: "megatonfi_exchange",
  methods: ["get_lp_swap_data", "get_lp_mining_data"],
});

/** The Megaton exchange. */
export const megaton = declareFamily({
  bodies: bareOpcodes({
    megaton_update_mining_params: 0x56a8e920,
    megaton_swap: 0x7362d09c,
    megaton_wton_mint: 0x77a33521,
  }),
  interfaces: [megatonfiRouter, megatonfiExchange],
});

const gramMiner = contract({
  name: "gram_miner",
  codes: ["zK5v+2A8fT53mrWewmf/wi3B6+CvmDmQIomnqD5MAPE="],
  methods: ["get_pow_params"],
});

/** Gram miners. */
export const miner = declareFamily({ interfaces: [gramMiner] });

/** The Tegro exchange. */
export const tegro = declareFamily({
  bodies: bareOpcodes({
    tegro_jetton_swap_forward_payload: 0x01fb7a25,
    tegro_add_liquidity_forward_payload: 0x287e167a,
    tegro_swap_ton: 0x600c00fd,
  }),
});

const tonkeeper2fa = contract({
  name: "tonkeeper_2fa",
  codes: ["xe8Z3yKu6LcHvXoYEXTkAKQiUiPFrkDYMg9d3XB9NKE="],
  methods: [
    "get_wallet_addr",
    "get_root_pubkey",
    "get_seed_pubkey",
    "get_delegation_state",
    "get_estimated_attached_value",
  ],
});

/** Two-factor plugins of Tonkeeper. */
export const tonkeeper = declareFamily({
  bodies: bareOpcodes({
    tonkeeper_2fa_signed: 0x53684037,
    tonkeeper_relayer_fee_forward_payload: 0x878da6e3,
  }),
  interfaces: [tonkeeper2fa],
});
