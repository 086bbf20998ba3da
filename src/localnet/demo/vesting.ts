import { beginCell } from "../../cell/Builder.ts";
import { vestingAddWhiteList, vestingSendMessageBody } from "../../contracts/families/vesting/messages.ts";
import type { Address } from "../../model/Address.ts";
import { coin } from "../../model/coins.ts";
import { vestingCode } from "../codes/demoCodes.ts";
import { makeComment, makeInternal } from "../wallets/transfer.ts";
import type { Wallet } from "../wallets/Wallet.ts";
import { beginBody, storeAddress } from "./body.ts";
import { callMethod, type DemoPeople, type DemoStage, sends, stage } from "./DemoStage.ts";
import { type ContractInit, makeContract } from "./NewContract.ts";

/** The vesting wallet of the demo set. */
export interface DemoVesting {
  readonly wallet: Address;
}

/** The number that libraries use for vesting wallets, so that they differ from ordinary ones of the same key. */
const walletId = 0x10c;
const month = 30 * 24 * 3_600;
const amount = 100n * coin;
/** From the first day of 2023 over ten years, monthly: a part is free and a part is locked. */
const terms = { startAt: 1_672_531_200n, duration: 120 * month, unlockPeriod: month, cliff: month };

/**
 * Coins that are released month by month: two receivers are on the whitelist, and the owner sends some that are free.
 */
export function makeVesting({ alice, bob, carol, dave, erin }: DemoPeople): [DemoVesting, readonly DemoStage[]] {
  const vesting = makeVestingWallet(erin.address, dave);
  const second = storeAddress(beginCell(), bob.address).cell();
  const whitelist = storeAddress(beginBody(vestingAddWhiteList.opcode), alice.address).storeRef(second).cell();
  const sent = makeInternal({ to: carol.address, amount: coin, bounce: true, body: makeComment("from what is free") });
  const send = beginBody(vestingSendMessageBody.opcode).storeUint(3, 8).storeRef(sent).cell();
  const stages = [
    stage(sends(erin, { to: vesting.address, amount: amount + coin, init: vesting.init })),
    stage(sends(erin, callMethod(vesting.address, coin / 5n, { body: whitelist }))),
    stage(sends(dave, callMethod(vesting.address, coin / 5n, { body: send }))),
  ];
  return [{ wallet: vesting.address }, stages];
}

// seqno:uint32 wallet_id:uint32 public_key:bits256 whitelist:(HashmapE 264 True) ^[ start:uint64 duration:uint32
//   unlock_period:uint32 cliff:uint32 amount:Coins sender:MsgAddress owner:MsgAddress ]
function makeVestingWallet(sender: Address, owner: Wallet): ContractInit {
  const { startAt, duration, unlockPeriod, cliff } = terms;
  const vested = beginCell()
    .storeBigUint(startAt, 64)
    .storeUint(duration, 32)
    .storeUint(unlockPeriod, 32)
    .storeUint(cliff, 32)
    .storeCoins(amount);
  const data = beginCell()
    .storeUint(0, 32)
    .storeUint(walletId, 32)
    .storeBytes(owner.key.publicKey)
    .storeBit(false)
    .storeRef(storeAddress(storeAddress(vested, sender), owner.address).cell());
  return makeContract(vestingCode, data.cell());
}
