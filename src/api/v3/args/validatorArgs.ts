import type { Times } from "../../../history/queries/kit/ranges.ts";
import type { ValidatorFilter } from "../../../history/queries/validators/events.ts";
import type { Address } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import { arg } from "../../declare/argument.ts";
import {
  addressArg,
  cursorArgs,
  findV3Hash,
  lateSortArg,
  maybeSortArg,
  pageArgs,
  type Sort,
  textArg,
  utimeArgs,
} from "./args.ts";
import { type TimeArgs, timesOf } from "./eventArgs.ts";
import { refusal } from "./refusals.ts";

/*
 * The arguments of lists about validators. They are checked in the order of the contract: combinations, keys, the
 * limit of embedded lists, times, the direction, and at last the page.
 */

/** 32 bytes, which are read after combinations of arguments are checked. */
const lateHashArg = {
  ...textArg,
  allowed: "32 bytes as hex, base64 or base64url",
};

/** Who is meant, and the order and the part of the list. */
export const validatorArgs = {
  stake_holder_address: arg("Only what belongs to this account, which holds the stake.", addressArg),
  adnl_address: arg("Only validators with this ADNL address; not together with `stake_holder_address`.", lateHashArg),
  validator_pubkey: arg("Only validators with this public key.", lateHashArg),
  ...utimeArgs,
  ...pageArgs,
  ...cursorArgs,
  sort: arg("Order: `desc` begins with the newest, `asc` with the oldest.", lateSortArg),
};

interface GivenArgs extends TimeArgs {
  readonly stake_holder_address: Address | undefined;
  readonly adnl_address: string | undefined;
  readonly validator_pubkey: string | undefined;
  readonly limit: number | undefined;
  readonly sort: string | undefined;
}

/** The largest number of items that each have a list of validators of their own. */
const maxEmbedded = 100;

/** Reads these arguments; `embedded` names the flag that adds lists of validators, when it is set. */
export function readValidatorArgs(
  args: GivenArgs,
  embedded?: string,
): { readonly filter: ValidatorFilter & Times; readonly sort: Sort } {
  const { stake_holder_address: holder, adnl_address, validator_pubkey, limit } = args;
  if (holder !== undefined && adnl_address !== undefined) throw refusal("holderAndAdnl");
  const adnlAddress = readKey("adnl_address", adnl_address);
  const key = readKey("validator_pubkey", validator_pubkey);
  if (embedded !== undefined && limit !== undefined && limit > maxEmbedded)
    throw refusal("embeddedLimit", { name: embedded, max: maxEmbedded });
  const times = timesOf(args);
  const sort = maybeSortArg.decode(args.sort, "sort") ?? "desc";
  return { filter: { holder, adnlAddress, key, ...times }, sort };
}

function readKey(name: string, text: string | undefined): Hash | undefined {
  if (text === undefined) return undefined;
  // Padding may be left out.
  const found = findV3Hash(text) ?? (text.length === 43 ? findV3Hash(`${text}=`) : undefined);
  if (found === undefined) throw refusal("badKey", { name });
  return found;
}
