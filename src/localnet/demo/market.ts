import { beginCell } from "../../cell/Builder.ts";
import type { Address } from "../../model/Address.ts";
import { coin } from "../../model/coins.ts";
import { demoCodes } from "../codes/demoCodes.ts";
import type { Transfer } from "../wallets/transfer.ts";
import { storeAddress } from "./body.ts";
import { callMethod, type DemoPeople, type DemoStage, sends, stage } from "./DemoStage.ts";
import { type ContractInit, codeCell, makeContract } from "./NewContract.ts";
import { type DemoNft, handOverBody } from "./nft.ts";

/** The market of the demo set and its two sales. */
export interface DemoMarket {
  readonly market: Address;
  /** Not bought yet. */
  readonly openSale: Address;
  readonly finishedSale: Address;
}

interface Offer {
  readonly item: Address;
  readonly seller: Address;
  readonly price: bigint;
}

/** Two items are put on sale, and one is bought. */
export function makeMarket(people: DemoPeople, { items }: DemoNft): [DemoMarket, readonly DemoStage[]] {
  const { alice, bob, dave, erin } = people;
  const market = makeMarketplace(erin.address, bob.address);
  const saleOf = (offer: Offer): Address => makeSale(offer, market.address, people).address;
  const toMarket = ({ item, seller, price }: Offer): Transfer => {
    const payload = beginCell().storeCoins(price).cell();
    return callMethod(item, coin / 2n, { body: handOverBody(market.address, seller, (coin * 3n) / 10n, payload) });
  };
  const open = { item: items[0], seller: bob.address, price: 25n * coin };
  const sold = { item: items[2], seller: dave.address, price: 10n * coin };
  const stages = [
    stage(sends(erin, callMethod(market.address, coin / 2n, { init: market.init }))),
    stage(sends(bob, toMarket(open)), sends(dave, toMarket(sold))),
    stage(sends(alice, callMethod(saleOf(sold), sold.price + coin / 5n))),
  ];
  return [{ market: market.address, openSale: saleOf(open), finishedSale: saleOf(sold) }, stages];
}

// owner:MsgAddress sale_code:^Cell royalty_to:MsgAddress
function makeMarketplace(owner: Address, royaltyTo: Address): ContractInit {
  const data = storeAddress(beginCell(), owner).storeRef(codeCell(demoCodes.nftSale));
  return makeContract(demoCodes.nftMarket, storeAddress(data, royaltyTo).cell());
}

// is_complete:Bool marketplace:MsgAddress seller:MsgAddress price:Coins sold_at:uint32 sold_query_id:uint64
//   ^[ fee_to:MsgAddress royalty_to:MsgAddress fee:Coins royalty:Coins ] ^[ item:MsgAddress created_at:uint32 ]
function makeSale({ item, seller, price }: Offer, market: Address, { bob, erin }: DemoPeople): ContractInit {
  const fees = storeAddress(storeAddress(beginCell(), erin.address), bob.address)
    .storeCoins(price / 20n)
    .storeCoins(price / 40n)
    .cell();
  const subject = storeAddress(beginCell(), item).storeUint(0, 32).cell();
  const data = storeAddress(storeAddress(beginCell().storeBit(false), market), seller)
    .storeCoins(price)
    .storeUint(0, 32)
    .storeBigUint(0n, 64)
    .storeRef(fees)
    .storeRef(subject)
    .cell();
  return makeContract(demoCodes.nftSale, data);
}
