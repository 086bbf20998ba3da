import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { cell } from "../../cell/codec.ts";
import { makeDictionary } from "../../cell/dictionary.ts";
import { uintKey } from "../../cell/keys.ts";
import { multisigApproveBody, multisigNewOrder } from "../../contracts/families/multisig/messages.ts";
import type { Address } from "../../model/Address.ts";
import { coin } from "../../model/coins.ts";
import { demoCodes } from "../codes/demoCodes.ts";
import { LocalnetError } from "../errors.ts";
import { makeComment, makeInternal, type Transfer } from "../wallets/transfer.ts";
import { beginBody, numberedAddresses, storeAddress } from "./body.ts";
import { callMethod, type DemoPeople, type DemoStage, sends, stage } from "./DemoStage.ts";
import { type ContractInit, codeCell, makeContract } from "./NewContract.ts";

/** The multisig wallet of the demo set and its two orders. */
export interface DemoMultisig {
  readonly wallet: Address;
  readonly executedOrder: Address;
  /** Waits for its second approval. */
  readonly openOrder: Address;
}

const threshold = 2;
/** The end of the century: the demo set stays valid however long a network is kept. */
const expiresAt = 4_102_444_800n;

/** Two of three sign; one order is executed, one waits. */
export function makeMultisig(people: DemoPeople): [DemoMultisig, readonly DemoStage[]] {
  const { alice, bob, dave } = people;
  const wallet = makeMultisigWallet(people);
  const orderOf = (seqno: number): Address => makeOrder(wallet.address, seqno).address;
  const propose = (order: ProposedOrder): Transfer =>
    callMethod(wallet.address, coin / 2n, { body: newOrderBody(order, payment(dave.address, 3n * coin)) });
  const approval = beginBody(multisigApproveBody.opcode).storeUint(1, 8).cell();
  const stages = [
    stage(sends(alice, callMethod(wallet.address, 50n * coin, { init: wallet.init }))),
    stage(sends(alice, propose({ seqno: 0, isSigner: true, index: 0 }))),
    stage(sends(bob, callMethod(orderOf(0), coin / 2n, { body: approval }))),
    stage(sends(dave, propose({ seqno: 1, isSigner: false, index: 0 }))),
  ];
  return [{ wallet: wallet.address, executedOrder: orderOf(0), openOrder: orderOf(1) }, stages];
}

// next_seqno:uint256 threshold:uint8 signers:^(Hashmap 8 MsgAddress) proposers:(HashmapE 8 MsgAddress) order_code:^Cell
function makeMultisigWallet({ alice, bob, carol, dave }: DemoPeople): ContractInit {
  const data = beginCell()
    .storeBigUint(0n, 256)
    .storeUint(threshold, 8)
    .storeRef(numberedAddresses([alice.address, bob.address, carol.address]))
    .storeMaybeRef(numberedAddresses([dave.address]))
    .storeRef(codeCell(demoCodes.multisigOrder))
    .cell();
  return makeContract(demoCodes.multisig, data);
}

// multisig:MsgAddress seqno:uint256 threshold:uint8 is_sent:Bool signers:(Maybe ^Cell) approvals:uint256
//   approval_count:uint8 expires_at:uint48 order:(Maybe ^Cell)
function makeOrder(multisig: Address, seqno: number): ContractInit {
  const data = storeAddress(beginCell(), multisig)
    .storeBigUint(BigInt(seqno), 256)
    .storeUint(0, 8 + 1 + 1)
    .storeBigUint(0n, 256)
    .storeUint(0, 8)
    .storeBigUint(0n, 48)
    .storeBit(false)
    .cell();
  return makeContract(demoCodes.multisigOrder, data);
}

interface ProposedOrder {
  readonly seqno: number;
  readonly isSigner: boolean;
  /** The index of the proposer, among the signers or the proposers. */
  readonly index: number;
}

function newOrderBody({ seqno, isSigner, index }: ProposedOrder, order: Cell): Cell {
  return beginBody(multisigNewOrder.opcode)
    .storeBigUint(BigInt(seqno), 256)
    .storeBit(isSigner)
    .storeUint(index, 8)
    .storeBigUint(expiresAt, 48)
    .storeRef(order)
    .cell();
}

// send_message#f1381e5b mode:uint8 message:^(MessageRelaxed Any)
function payment(to: Address, amount: bigint): Cell {
  const message = makeInternal({ to, amount, body: makeComment("two of us agree") });
  const action = beginCell().storeUint(0xf1381e5b, 32).storeUint(3, 8).storeRef(message).cell();
  const { root } = makeDictionary(uintKey(8), cell, [[0, action]]);
  if (root === undefined) throw new LocalnetError("localnet/wallet", "an order without actions");
  return root;
}
