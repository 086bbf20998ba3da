import { ref, struct, uint8, union } from "../../cell/codec.ts";
import { dictionary } from "../../cell/dictionary.ts";
import { hashKey } from "../../cell/keys.ts";
import { Coins } from "../Currency.ts";
import { hash } from "../Hash.ts";

/** Keys of the external oracles, by their masterchain account. */
const oracles = dictionary(hashKey, hash);

// oracle_bridge_params#_ bridge_address:bits256 oracle_mutlisig_address:bits256 oracles:(HashmapE 256 uint256)
//   external_chain_address:bits256 = OracleBridgeParams;
export const OracleBridgeParams = struct({
  bridgeAccount: hash,
  oracleMultisigAccount: hash,
  oracles,
  externalChainAddress: hash,
});

// jetton_bridge_prices#_ bridge_burn_fee:Coins bridge_mint_fee:Coins wallet_min_tons_for_storage:Coins
//   wallet_gas_consumption:Coins minter_min_tons_for_storage:Coins discover_gas_consumption:Coins
//   = JettonBridgePrices;
const JettonBridgePrices = struct({
  bridgeBurnFee: Coins,
  bridgeMintFee: Coins,
  walletMinTonsForStorage: Coins,
  walletGasConsumption: Coins,
  minterMinTonsForStorage: Coins,
  discoverGasConsumption: Coins,
});

const head = { bridgeAccount: hash, oraclesAccount: hash, oracles, stateFlags: uint8 };

// jetton_bridge_params_v0#00 bridge_address:bits256 oracles_address:bits256 oracles:(HashmapE 256 uint256)
//   state_flags:uint8 burn_bridge_fee:Coins = JettonBridgeParams;
// jetton_bridge_params_v1#01 bridge_address:bits256 oracles_address:bits256 oracles:(HashmapE 256 uint256)
//   state_flags:uint8 prices:^JettonBridgePrices external_chain_address:bits256 = JettonBridgeParams;
// In 2022 the test network wrote the first form without its tag; there the account's own first byte decides.
export const JettonBridgeParams = union({
  v0: ["#00", { ...head, burnBridgeFee: Coins }],
  v1: ["#01", { ...head, prices: ref(JettonBridgePrices), externalChainAddress: hash }],
  untagged: ["$_", { ...head, burnBridgeFee: Coins }],
});
