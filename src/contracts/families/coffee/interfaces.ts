import { contract } from "../../kit/contract.ts";

export const coffeeMevProtector = contract({
  name: "coffee_mev_protector",
  codes: ["WPvC26JoTTi4C/zj3Fqf/OAK+bRkx7TcIc9X46rhHxw="],
});

export const coffeeCrossDex = contract({
  name: "coffee_cross_dex",
  codes: ["/qnGoe9eqyxcqU1r7x4zmUxXhqvrUmR2DhUNozv7Nnc="],
});

export const coffeeStakingMaster = contract({
  name: "coffee_staking_master",
  methods: ["get_stored_data", "get_collection_data", "get_nft_address_by_index", "get_nft_content"],
});

export const coffeeStakingVault = contract({
  name: "coffee_staking_vault",
  methods: ["get_stored_data", "get_master_address"],
});

export const coffeeStakingItem = contract({
  name: "coffee_staking_item",
  methods: ["get_stored_data", "get_nft_data"],
});

export const coffeeFactory = contract({
  name: "coffee_factory",
  methods: [
    "get_vault_address",
    "get_pool_address",
    "get_pool_address_no_settings",
    "get_pool_creator_address",
    "get_pool_creator_address_no_settings",
    "get_liquidity_depository_address",
    "get_liquidity_depository_address_no_settings",
    "get_admin_address",
    "get_code",
  ],
});

export const coffeeVault = contract({
  name: "coffee_vault",
  methods: ["get_asset", "is_active"],
});

export const coffeeVaultNative = contract({
  name: "coffee_vault_native",
});

export const coffeeVaultJetton = contract({
  name: "coffee_vault_jetton",
});

export const coffeeVaultExtra = contract({
  name: "coffee_vault_extra",
});

export const coffeePool = contract({
  name: "coffee_pool",
  methods: [
    "get_jetton_data",
    "get_wallet_address",
    "get_pool_data",
    "estimate_swap_amount",
    "estimate_liquidity_withdraw_amount",
    "estimate_liquidity_deposit_amount",
  ],
});

export const jettonWalletCoffeeLp = contract({
  name: "jetton_wallet_coffee_lp",
  codes: ["18OPqZSoKCZXIJ+T68Xf6Qil8G0uQfDAhekXvE9UorM="],
});
