import { BagError, type Cell } from "../../cells/Cell.ts";
import { listEntries } from "../../cells/dictionary.ts";
import { formatBits, Slice } from "../../cells/Slice.ts";
import { formatCoins, formatCount } from "../../format/coins.ts";
import { formatMoment } from "../../format/time.ts";

/**
 * Configuration parameters: their meaning and the layout of their cells. A layout is a list of fields `name:kind`: `uN`
 * and `iN` are numbers of N bits, `b` a flag, `x` 256 bits as hex, `c` coins, `t` a time, `#hex` a tag that selects
 * this layout.
 */
interface ParamKind {
  readonly name: string;
  readonly about: string;
  readonly layouts?: readonly string[];
}

const gas =
  "gas_price:u64 gas_limit:u64 special_gas_limit:u64 gas_credit:u64 block_gas_limit:u64 freeze_due_limit:u64 delete_due_limit:u64";
const gasPrices = [`#d1 flat_gas_limit:u64 flat_gas_price:u64 #de ${gas}`, `#de ${gas}`];
const forwardPrices = [
  "#ea lump_price:u64 bit_price:u64 cell_price:u64 ihr_price_factor:u32 first_frac:u16 next_frac:u16",
];
const limit = (name: string) => `#c3 ${name}_underload:u32 ${name}_soft_limit:u32 ${name}_hard_limit:u32`;
const blockLimits = [`#5d ${limit("bytes")} ${limit("gas")} ${limit("lt_delta")}`];
const validators = [
  "#12 utime_since:t utime_until:t total:u16 main:u16 total_weight:u64",
  "#11 utime_since:t utime_until:t total:u16 main:u16",
];
const consensus =
  "next_candidate_delay_ms:u32 consensus_timeout_ms:u32 fast_attempts:u32 attempt_duration:u32 catchain_max_deps:u32 max_block_bytes:u32 max_collated_bytes:u32";
const sizes =
  "max_msg_bits:u32 max_msg_cells:u32 max_library_cells:u32 max_vm_data_depth:u16 max_ext_msg_size:u32 max_ext_msg_depth:u16";

const kinds: Readonly<Record<number, ParamKind>> = {
  0: { name: "Config contract", about: "keeps and changes this configuration", layouts: ["address:x"] },
  1: { name: "Elector", about: "holds the elections of validators", layouts: ["address:x"] },
  2: { name: "Minter", about: "makes extra currencies", layouts: ["address:x"] },
  3: { name: "Fee collector", about: "receives the fees of blocks", layouts: ["address:x"] },
  4: { name: "DNS root", about: "resolves domains", layouts: ["address:x"] },
  5: { name: "Burning of fees", about: "which share of the fees is destroyed" },
  6: {
    name: "Minting prices",
    about: "prices of new extra currencies",
    layouts: ["mint_new_price:c mint_add_price:c"],
  },
  7: { name: "Extra currencies", about: "amounts that the network makes" },
  8: { name: "Version", about: "what nodes must support", layouts: ["#c4 version:u32 capabilities:u64"] },
  9: { name: "Mandatory parameters", about: "must not be deleted" },
  10: { name: "Critical parameters", about: "change by a stricter vote" },
  11: { name: "Voting setup", about: "how proposals are voted on" },
  12: { name: "Workchains", about: "the workchains of the network" },
  13: {
    name: "Complaint prices",
    about: "what a complaint about a validator costs",
    layouts: ["#1a deposit:c bit_price:c cell_price:c"],
  },
  14: {
    name: "Block rewards",
    about: "paid for every block",
    layouts: ["#6b masterchain_block_fee:c basechain_block_fee:c"],
  },
  15: {
    name: "Election times",
    about: "in seconds",
    layouts: ["validators_elected_for:u32 elections_start_before:u32 elections_end_before:u32 stake_held_for:u32"],
  },
  16: {
    name: "Numbers of validators",
    about: "bounds of a set",
    layouts: ["max_validators:u16 max_main_validators:u16 min_validators:u16"],
  },
  17: {
    name: "Stakes",
    about: "bounds of a validator's stake",
    layouts: ["min_stake:c max_stake:c min_total_stake:c max_stake_factor:u32"],
  },
  18: { name: "Storage prices", about: "what it costs to keep an account" },
  19: { name: "Network id", about: "tells networks apart", layouts: ["global_id:i32"] },
  20: { name: "Gas prices, masterchain", about: "what running code costs", layouts: gasPrices },
  21: { name: "Gas prices, basechain", about: "what running code costs", layouts: gasPrices },
  22: { name: "Block limits, masterchain", about: "how large a block may be", layouts: blockLimits },
  23: { name: "Block limits, basechain", about: "how large a block may be", layouts: blockLimits },
  24: { name: "Message prices, masterchain", about: "what sending a message costs", layouts: forwardPrices },
  25: { name: "Message prices, basechain", about: "what sending a message costs", layouts: forwardPrices },
  28: {
    name: "Catchain",
    about: "how groups of validators are formed",
    layouts: [
      "#c2 flags:u7 shuffle_mc_validators:b mc_catchain_lifetime:u32 shard_catchain_lifetime:u32 shard_validators_lifetime:u32 shard_validators_num:u32",
      "#c1 mc_catchain_lifetime:u32 shard_catchain_lifetime:u32 shard_validators_lifetime:u32 shard_validators_num:u32",
    ],
  },
  29: {
    name: "Consensus",
    about: "how validators agree on a block",
    layouts: [
      `#d9 flags:u7 new_catchain_ids:b round_candidates:u8 ${consensus} proto_version:u16 catchain_max_blocks_coeff:u32`,
      `#d8 flags:u7 new_catchain_ids:b round_candidates:u8 ${consensus} proto_version:u16`,
      `#d7 flags:u7 new_catchain_ids:b round_candidates:u8 ${consensus}`,
      `#d6 round_candidates:u32 ${consensus}`,
    ],
  },
  31: { name: "Fundamental contracts", about: "run with every block, without fees" },
  32: { name: "Previous validators", about: "the set before this one", layouts: validators },
  34: { name: "Current validators", about: "who makes the blocks now", layouts: validators },
  36: { name: "Next validators", about: "who follows", layouts: validators },
  40: { name: "Punishment of validators", about: "fines for misbehaviour" },
  43: {
    name: "Limits of size",
    about: "of messages and accounts",
    layouts: [`#02 ${sizes} max_acc_state_cells:u32 max_acc_state_bits:u32`, `#01 ${sizes}`],
  },
  44: { name: "Suspended addresses", about: "unused accounts of the first days" },
  45: { name: "Precompiled contracts", about: "run natively for a fixed price" },
};

/** A parameter for display. */
export interface Param {
  readonly id: number;
  readonly name: string;
  readonly about: string;
  readonly cell: Cell;
  /** Decoded fields; empty for an unknown layout. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** All parameters of a configuration, by id. */
export function listParams(config: Cell): Param[] {
  return listEntries(config, 32)
    .map(([key, value]) => readParam(Number(BigInt.asIntN(32, key)), value.ref()))
    .toSorted((a, b) => a.id - b.id);
}

function readParam(id: number, cell: Cell): Param {
  const { name = `Parameter ${id}`, about = "", layouts = [] } = kinds[id] ?? {};
  for (const layout of layouts) {
    const fields = tryLayout(layout, cell);
    if (fields !== undefined) return { id, name, about, cell, fields };
  }
  return { id, name, about, cell, fields: [] };
}

/** The fields; `undefined` if the cell has a different layout. */
function tryLayout(layout: string, cell: Cell): [string, string][] | undefined {
  const slice = new Slice(cell);
  const fields: [string, string][] = [];
  try {
    for (const field of layout.split(" ")) {
      if (field.startsWith("#")) {
        if (slice.hex(8) !== field.slice(1)) return undefined;
        continue;
      }
      const [name = "", kind = ""] = field.split(":");
      fields.push([name, readField(slice, kind)]);
    }
    return fields;
  } catch (error) {
    if (error instanceof BagError) return undefined;
    throw error;
  }
}

function readField(slice: Slice, kind: string): string {
  switch (kind.charAt(0)) {
    case "x":
      return slice.hex(256);
    case "c":
      return `${formatCoins(slice.coins())} TON`;
    case "b":
      return slice.bit() === 1 ? "yes" : "no";
    case "t":
      return formatMoment(Number(slice.uint(32)));
    case "i":
      return slice.int(Number(kind.slice(1))).toString();
    default:
      return formatCount(slice.uint(Number(kind.slice(1))));
  }
}

export type Difference =
  | { readonly kind: "added" | "removed"; readonly param: Param }
  | { readonly kind: "changed"; readonly before: Param; readonly after: Param };

/** The differences between two configurations. */
export function compareParams(before: readonly Param[], after: readonly Param[]): Difference[] {
  const old = new Map(before.map((param) => [param.id, param]));
  const ids = new Set(after.map(({ id }) => id));
  const removed = before.filter(({ id }) => !ids.has(id)).map((param): Difference => ({ kind: "removed", param }));
  const others = after.flatMap((param): Difference[] => {
    const former = old.get(param.id);
    if (former === undefined) return [{ kind: "added", param }];
    return former.cell.hash === param.cell.hash ? [] : [{ kind: "changed", before: former, after: param }];
  });
  return [...removed, ...others];
}

/** A parameter without known fields in one line. */
export function briefCell(cell: Cell): string {
  const bits = formatBits(cell);
  const head = bits.length > 48 ? `${bits.slice(0, 48)}…` : bits;
  return `${head}${cell.refs.length > 0 ? ` and ${cell.refs.length} references` : ""}`;
}
