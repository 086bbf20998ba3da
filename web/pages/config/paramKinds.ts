import { dictionary, entries, keys, type Layout, record, tagged } from "./layout.ts";
import {
  blockLimits,
  catchain,
  consensus,
  forwardPrices,
  gasPrices,
  jettonBridge,
  newConsensus,
  oracleBridge,
  precompiled,
  punishment,
  sizeLimits,
  storagePrices,
  suspended,
  validators,
  votingSetup,
  workchains,
} from "./paramLayouts.ts";

/** What a configuration parameter means, and the layout of its cell. */
export interface ParamKind {
  readonly name: string;
  readonly about: string;
  readonly layout: Layout;
}

function kind(name: string, about: string, layout: Layout): ParamKind {
  return { name, about, layout };
}

const address = record("address:x");

export const paramKinds: Readonly<Record<number, ParamKind>> = {
  0: kind("Config contract", "keeps and changes this configuration", address),
  1: kind("Elector", "holds the elections of validators", address),
  2: kind("Minter", "makes extra currencies", address),
  3: kind("Fee collector", "receives the fees of blocks", address),
  4: kind("DNS root", "resolves domains", address),
  5: kind(
    "Burning of fees",
    "which share of the fees is destroyed",
    tagged({ "01": record("black_hole_address:?x fee_burn_numerator:u32 fee_burn_denominator:u32") }),
  ),
  6: kind("Minting prices", "prices of new extra currencies", record("mint_new_price:c mint_add_price:c")),
  7: kind("Extra currencies", "amounts that the network makes", dictionary(entries("currency", "i32", record(":v")))),
  8: kind("Version", "what nodes must support", tagged({ c4: record("version:u32 capabilities:u64") })),
  9: kind("Mandatory parameters", "must not be deleted", keys("parameters", "i32")),
  10: kind("Critical parameters", "change by a stricter vote", keys("parameters", "i32")),
  11: kind("Voting setup", "how proposals are voted on", votingSetup),
  12: kind("Workchains", "the workchains of the network", workchains),
  13: kind(
    "Complaint prices",
    "what a complaint about a validator costs",
    tagged({ "1a": record("deposit:c bit_price:c cell_price:c") }),
  ),
  14: kind(
    "Block rewards",
    "paid for every block",
    tagged({ "6b": record("masterchain_block_fee:c basechain_block_fee:c") }),
  ),
  15: kind(
    "Election times",
    "in seconds",
    record("validators_elected_for:u32 elections_start_before:u32 elections_end_before:u32 stake_held_for:u32"),
  ),
  16: kind(
    "Numbers of validators",
    "bounds of a set",
    record("max_validators:u16 max_main_validators:u16 min_validators:u16"),
  ),
  17: kind(
    "Stakes",
    "bounds of a validator's stake",
    record("min_stake:c max_stake:c min_total_stake:c max_stake_factor:u32"),
  ),
  18: kind("Storage prices", "what it costs to keep an account", storagePrices),
  19: kind("Network id", "tells networks apart", record("global_id:i32")),
  20: kind("Gas prices, masterchain", "what running code costs", gasPrices),
  21: kind("Gas prices, basechain", "what running code costs", gasPrices),
  22: kind("Block limits, masterchain", "how large a block may be", blockLimits),
  23: kind("Block limits, basechain", "how large a block may be", blockLimits),
  24: kind("Message prices, masterchain", "what sending a message costs", forwardPrices),
  25: kind("Message prices, basechain", "what sending a message costs", forwardPrices),
  28: kind("Catchain", "how groups of validators are formed", catchain),
  29: kind("Consensus", "how validators agree on a block", consensus),
  30: kind("New consensus", "how validators agree on a block with Simplex", newConsensus),
  31: kind("Fundamental contracts", "run with every block, without fees", dictionary(keys("addresses", "x"))),
  32: kind("Previous validators", "the set before this one", validators),
  33: kind("Previous temporary validators", "the set before this one", validators),
  34: kind("Current validators", "who makes the blocks now", validators),
  35: kind("Current temporary validators", "who makes the blocks now", validators),
  36: kind("Next validators", "who follows", validators),
  37: kind("Next temporary validators", "who follows", validators),
  40: kind("Punishment of validators", "fines for misbehaviour", punishment),
  43: kind("Limits of size", "of messages and accounts", sizeLimits),
  44: kind("Suspended addresses", "unused accounts of the first days", suspended),
  45: kind("Precompiled contracts", "run natively for a fixed price", precompiled),
  71: kind("Ethereum bridge", "moves coins to Ethereum", oracleBridge),
  72: kind("BNB chain bridge", "moves coins to BNB Smart Chain", oracleBridge),
  73: kind("Polygon bridge", "moves coins to Polygon", oracleBridge),
  79: kind("Ethereum token bridge", "moves tokens from Ethereum", jettonBridge),
  81: kind("BNB chain token bridge", "moves tokens from BNB Smart Chain", jettonBridge),
  82: kind("Polygon token bridge", "moves tokens from Polygon", jettonBridge),
};
