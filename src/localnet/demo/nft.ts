import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { nftTransferBody } from "../../contracts/families/nft/messages.ts";
import type { Address } from "../../model/Address.ts";
import { coin } from "../../model/coins.ts";
import { demoCodes } from "../codes/demoCodes.ts";
import { makeComment, type Transfer } from "../wallets/transfer.ts";
import { beginBody, onchainContent, storeAddress } from "./body.ts";
import { callMethod, type DemoPeople, type DemoStage, sends, stage } from "./DemoStage.ts";
import { type ContractInit, codeCell, makeContract } from "./NewContract.ts";

/** The collection of the demo set and its items by their index. */
export interface DemoNft {
  readonly collection: Address;
  readonly items: readonly [Address, Address, Address, Address];
}

const content = onchainContent({
  name: "Tongate Demo Gates",
  description: "Items of a local network, with their metadata on chain.",
});

/** A collection with four items: two stay with their owners, one is transferred, and one is for the market. */
export function makeNft({ alice, bob, carol, dave }: DemoPeople): [DemoNft, readonly DemoStage[]] {
  const collection = makeCollection(bob.address);
  const item = (index: number): Address => makeItem(index, collection.address).address;
  const mint = (index: number, owner: Address): Transfer =>
    callMethod(collection.address, coin / 5n, { body: mintBody(index, owner) });
  const gift = handOverBody(alice.address, carol.address, coin / 100n, makeComment("a gate for you"));
  const stages = [
    stage(sends(bob, { ...mint(0, bob.address), init: collection.init })),
    stage(sends(bob, mint(1, carol.address), mint(2, dave.address), mint(3, bob.address))),
    stage(sends(carol, callMethod(item(1), coin / 10n, { body: gift }))),
  ];
  return [{ collection: collection.address, items: [item(0), item(1), item(2), item(3)] }, stages];
}

// owner:MsgAddress next_index:uint64 content:^Cell item_code:^Cell royalty:^[ numerator:uint16 denominator:uint16
// to:MsgAddress ]
function makeCollection(owner: Address): ContractInit {
  const royalty = storeAddress(beginCell().storeUint(25, 16).storeUint(1_000, 16), owner).cell();
  const data = storeAddress(beginCell(), owner).storeBigUint(0n, 64);
  return makeContract(
    demoCodes.nftCollection,
    data.storeRef(content).storeRef(codeCell(demoCodes.nftItem)).storeRef(royalty).cell(),
  );
}

// index:uint64 collection:MsgAddress owner:MsgAddress content:(Maybe ^Cell)
function makeItem(index: number, collection: Address): ContractInit {
  const data = storeAddress(beginCell().storeBigUint(BigInt(index), 64), collection);
  return makeContract(demoCodes.nftItem, storeAddress(data, undefined).storeBit(false).cell());
}

// deploy_nft#00000001 query_id:uint64 index:uint64 amount:Coins ^[ owner:MsgAddress content:^Cell ]
function mintBody(index: number, owner: Address): Cell {
  const own = onchainContent({ name: `Gate #${index}`, description: `The gate of number ${index}.` });
  return beginBody(1)
    .storeBigUint(BigInt(index), 64)
    .storeCoins(coin / 10n)
    .storeRef(storeAddress(beginCell(), owner).storeRef(own).cell())
    .cell();
}

/** The body with which the owner of an item transfers it, with a notification of the new owner. */
export function handOverBody(to: Address, excessTo: Address, forward: bigint, payload: Cell): Cell {
  return storeAddress(storeAddress(beginBody(nftTransferBody.opcode), to), excessTo)
    .storeBit(false)
    .storeCoins(forward)
    .storeBit(true)
    .storeRef(payload)
    .cell();
}
