import { declareFamily } from "../engine/declareFamily.ts";
import { contract } from "../kit/contract.ts";
import { describedData } from "../kit/dataLayout.ts";
import { typedFields } from "../kit/getMethod.ts";
import { nftSale } from "./getgems/interfaces.ts";
import { jettonMasterInterface, jettonWalletInterface } from "./jetton/interfaces.ts";
import { multisigOrderV2, multisigV2 } from "./multisig/wallet.ts";
import { nftCollectionInterface, nftItemInterface } from "./nft/interfaces.ts";

/* Contracts of the demo set of local networks that have codes of their own. */

// total_supply:Coins admin:MsgAddress content:^Cell wallet_code:^Cell
const jettonMinter = contract({
  name: "demo_jetton_minter",
  codes: ["1RSB3Gm8b55dxLKowUYGmaOPAlpkdYrf5wprrzMH0HI="],
  storage: [describedData({ totalSupply: "coins", admin: "address?", content: "content", walletCode: "cell" })],
  like: jettonMasterInterface,
});

// balance:Coins owner:MsgAddress minter:MsgAddress
const jettonWallet = contract({
  name: "demo_jetton_wallet",
  codes: ["qeoraDzN67/NzVL5eZmwa7+9tCGAuh4IX1O0lW02S3E="],
  storage: [describedData({ balance: "coins", owner: "address", minter: "address" })],
  like: jettonWalletInterface,
});

// owner:MsgAddress next_item_index:uint64 content:^Cell item_code:^Cell royalty:^Cell
const nftCollection = contract({
  name: "demo_nft_collection",
  codes: ["oOioSvcuHMG7+dk4EhzMAYTTpR8GEJ8tzs5eHDqT7yE="],
  storage: [
    describedData({
      owner: "address?",
      nextItemIndex: "uint64",
      content: "content",
      itemCode: "cell",
      royalty: "cell",
    }),
  ],
  like: nftCollectionInterface,
});

// index:uint64 collection:MsgAddress owner:MsgAddress content:(Maybe ^Cell)
const nftItem = contract({
  name: "demo_nft_item",
  codes: ["Oz9hAYFxUsBqtk9m0YAL6jw9dgwwuONAzeBO+a+Lz8M="],
  storage: [describedData({ index: "uint64", collection: "address", owner: "address?", content: { maybe: "cell" } })],
  like: nftItemInterface,
});

// owner:MsgAddress sale_code:^Cell royalty_to:MsgAddress
const nftMarket = contract({
  name: "demo_nft_market",
  codes: ["PdxafAg6QEXRrDyVcjMxJ/PaBrYJZ4rooSGSyRrL7RY="],
  storage: [describedData({ owner: "address", saleCode: "cell", royaltyTo: "address" })],
});

// is_complete:Bool marketplace:MsgAddress seller:MsgAddress price:Coins sold_at:uint32 sold_query_id:uint64
//   ^[ fee_to:MsgAddress royalty_to:MsgAddress fee:Coins royalty:Coins ] ^[ item:MsgAddress created_at:uint32 ]
const demoSale = contract({
  name: "demo_nft_sale",
  codes: ["atAAJItPh5bpmZYvGQ10cG3W40jLWQiD+1ZfgBWE/SQ="],
  storage: [
    describedData({
      isComplete: "bool",
      marketplace: "address",
      seller: "address?",
      price: "coins",
      soldAt: "uint32",
      soldQueryId: "uint64",
      fees: {
        ref: { struct: typedFields({ feeTo: "address", royaltyTo: "address", fee: "coins", royalty: "coins" }) },
      },
      subject: { ref: { struct: typedFields({ item: "address", createdAt: "uint32" }) } },
    }),
  ],
  like: nftSale,
});

// next_seqno:uint256 threshold:uint8 signers:^(Hashmap 8 MsgAddress) proposers:(HashmapE 8 MsgAddress) order_code:^Cell
const multisigWallet = contract({
  name: "demo_multisig",
  codes: ["gXsbq2SMtIJqcyl0Dm70+lIvXCNGtzgzxVwtoDCzR10="],
  storage: [
    describedData({
      nextSeqno: "uint256",
      threshold: "uint8",
      signers: { hashmap: { key: "uint8", value: "address" } },
      proposers: { dict: { key: "uint8", value: "address" } },
      orderCode: "cell",
    }),
  ],
  like: multisigV2,
});

// multisig:MsgAddress seqno:uint256 threshold:uint8 is_sent:Bool signers:(Maybe ^Cell) approvals:uint256
//   approval_count:uint8 expires_at:uint48 order:(Maybe ^Cell)
const multisigOrder = contract({
  name: "demo_multisig_order",
  codes: ["Tz0OyTNF+lG7X2KaElGM5HhlZpXhkBMtS7hRiVh+jOI="],
  storage: [
    describedData({
      multisig: "address",
      seqno: "uint256",
      threshold: "uint8",
      isSent: "bool",
      signers: { dict: { key: "uint8", value: "address" } },
      approvals: "uint256",
      approvalCount: "uint8",
      expiresAt: "uint48",
      order: { maybe: "cell" },
    }),
  ],
  like: multisigOrderV2,
});

// resolver:MsgAddress
const dnsRoot = contract({
  name: "demo_dns_root",
  codes: ["DtDQwcd1bgP6TuTHMrp6x4wCRFXGBaTvVXcQib+9lP4="],
  storage: [describedData({ resolver: "address" })],
});

// content:^Cell item_code:^Cell
const dnsCollection = contract({
  name: "demo_dns_collection",
  codes: ["lH6vCZ47Zfu+xubDnP7VgtSfLJ7JSFSIoO/HhQMSQ7A="],
  storage: [describedData({ content: "content", itemCode: "cell" })],
  like: nftCollectionInterface,
});

// index:uint256 collection:MsgAddress owner:MsgAddress content:(Maybe ^Cell) name:(Maybe ^Cell)
//   records:(HashmapE 256 ^DNSRecord) filled_up_at:uint64 auction:(Maybe ^Auction)
const dnsItem = contract({
  name: "demo_dns_item",
  codes: ["vDUVXfaPg+PYm2avd5lc9H1bSN+pUpqfAXPFnATiN/8="],
  storage: [
    describedData({
      index: "bits256",
      collection: "address",
      owner: "address?",
      content: { maybe: "cell" },
      domain: { maybe: { ref: "text" } },
      records: { dict: { key: "bits256", value: "cell" } },
      filledUpAt: "uint64",
      auction: { maybe: "cell" },
    }),
  ],
  like: nftItemInterface,
});

/** The demo set of local networks. */
export const demoSet = declareFamily({
  described: [
    jettonMinter,
    jettonWallet,
    nftCollection,
    nftItem,
    nftMarket,
    demoSale,
    multisigWallet,
    multisigOrder,
    dnsRoot,
    dnsCollection,
    dnsItem,
  ],
});
