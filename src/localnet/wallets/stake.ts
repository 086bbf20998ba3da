import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { electorNewStake, electorRecoverStakeRequest } from "../../contracts/families/elections/messages.ts";
import { type Address, accountOf } from "../../model/Address.ts";
import type { LocalValidator } from "../rounds/validators.ts";

export interface StakeTerms {
  /** Who sends the stake to the elector. */
  readonly holder: Address;
  readonly electionId: number;
  /** 65536 is one: how many times the smallest elected stake counts of it. */
  readonly maxFactor: number;
  /** What a pool is told to send; the elector takes what comes with the message. */
  readonly value?: bigint;
}

const signedStake = 0x654c5074;
/** The elector confirms only stakes with a query id. */
const queryId = 1n;

// new_stake#4e73744b query_id:uint64 [value:Coins] validator_pubkey:bits256 stake_at:uint32 max_factor:uint32
//   adnl_addr:bits256 signature:^bits512
/** The message with which a validator stakes, by itself or through a pool. */
export function makeStake(validator: LocalValidator, { holder, electionId, maxFactor, value }: StakeTerms): Cell {
  const terms = beginCell().storeUint(electionId, 32).storeUint(maxFactor, 32);
  const signed = beginCell()
    .storeUint(signedStake, 32)
    .storeBuilder(terms)
    .storeHex(accountOf(holder))
    .storeHex(validator.adnlAddress)
    .cell();
  const body = beginCell().storeUint(electorNewStake.opcode, 32).storeBigUint(queryId, 64);
  if (value !== undefined) body.storeCoins(value);
  const signature = beginCell()
    .storeBytes(validator.signBytes(bytesOf(signed)))
    .cell();
  return body
    .storeHex(validator.publicKey)
    .storeBuilder(terms)
    .storeHex(validator.adnlAddress)
    .storeRef(signature)
    .cell();
}

/** The message with which a stake is taken back. */
export function makeRecover(): Cell {
  return beginCell().storeUint(electorRecoverStakeRequest.opcode, 32).storeBigUint(queryId, 64).cell();
}

/** The whole bytes of a cell without references, as they are signed. */
export function bytesOf(content: Cell): Uint8Array {
  return sliceOf(content).loadBytes(content.bitLength / 8);
}
