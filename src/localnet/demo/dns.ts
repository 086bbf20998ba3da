import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { changeDnsRecord } from "../../contracts/families/dns/messages.ts";
import { type Address, accountOf } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { coin } from "../../model/coins.ts";
import { type DnsRecord, dnsCategories, storeDnsRecord } from "../../model/content/DnsRecord.ts";
import { demoCodes } from "../codes/demoCodes.ts";
import { makeComment, type Transfer } from "../wallets/transfer.ts";
import { beginBody, onchainContent, storeAddress } from "./body.ts";
import { callMethod, type DemoPeople, type DemoStage, sends, stage } from "./DemoStage.ts";
import { type ContractInit, codeCell, makeContract } from "./NewContract.ts";

/** The names of the demo set. */
export interface DemoDns {
  /** In the masterchain, and in parameter 4 of the configuration. */
  readonly root: Address;
  readonly collection: Address;
  /** The items of names, by the full name. */
  readonly names: Readonly<Record<"alice.ton" | "bob-shop.ton", Address>>;
  /** The item of a name that is auctioned: the highest bidder so far is the first wallet. */
  readonly auctionedName: Address;
}

const content = onchainContent({ name: "Names under .ton", description: "The names of a local network." });

/** Names of three letters are auctioned. */
const auctioned = "tea";

/** A root, names under `.ton`, two of them with records, and one with bids. */
export function makeDns({ alice, bob, carol }: DemoPeople): [DemoDns, readonly DemoStage[]] {
  const collection = makeCollection();
  const root = makeContract(demoCodes.dnsRoot, storeAddress(beginCell(), collection.address).cell(), masterchain);
  const itemOf = (label: string): Address => makeName(label, collection.address).address;
  const buy = (label: string): Transfer => callMethod(collection.address, 2n * coin, { body: makeComment(label) });
  const set = (label: string, category: keyof typeof dnsCategories, record: DnsRecord): Transfer =>
    callMethod(itemOf(label), coin / 10n, { body: changeBody(category, record) });
  const bid = (amount: bigint): Transfer => callMethod(itemOf(auctioned), amount);
  const walletRecord = (address: Address): DnsRecord => ({ kind: "smcAddress", address, capabilities: undefined });
  const stages: readonly DemoStage[] = [
    stage(
      sends(
        alice,
        callMethod(collection.address, coin / 2n, { init: collection.init }),
        callMethod(root.address, 2n * coin, { init: root.init }),
      ),
    ),
    { kind: "dnsRoot", account: accountOf(root.address) },
    stage(sends(alice, buy("alice")), sends(bob, buy("bob-shop")), sends(carol, buy(auctioned))),
    stage(
      sends(alice, set("alice", "wallet", walletRecord(alice.address))),
      sends(bob, set("bob-shop", "wallet", walletRecord(bob.address)), bid(3n * coin)),
    ),
    stage(sends(alice, bid(5n * coin))),
  ];
  const names = { "alice.ton": itemOf("alice"), "bob-shop.ton": itemOf("bob-shop") };
  return [{ root: root.address, collection: collection.address, names, auctionedName: itemOf(auctioned) }, stages];
}

// content:^Cell item_code:^Cell
function makeCollection(): ContractInit {
  return makeContract(
    demoCodes.dnsCollection,
    beginCell().storeRef(content).storeRef(codeCell(demoCodes.dnsItem)).cell(),
  );
}

// index:uint256 collection:MsgAddress owner:MsgAddress content:(Maybe ^Cell) name:(Maybe ^Cell) records:(HashmapE 256
// ^DNSRecord)
//   filled_up_at:uint64 auction:(Maybe ^Auction)
function makeName(label: string, collection: Address): ContractInit {
  const index = beginCell().storeBytes(Buffer.from(label, "utf8")).cell().hash();
  const data = storeAddress(storeAddress(beginCell().storeHex(index), collection), undefined);
  return makeContract(demoCodes.dnsItem, data.storeUint(0, 3).storeBigUint(0n, 64).storeBit(false).cell());
}

function changeBody(category: keyof typeof dnsCategories, record: DnsRecord): Cell {
  return beginBody(changeDnsRecord.opcode).storeHex(dnsCategories[category]).storeRef(storeDnsRecord(record)).cell();
}
