/** Readable forms of technical names. */

const interfaceNames: Readonly<Record<string, string>> = {
  jetton_master: "Jetton",
  jetton_wallet: "Jetton wallet",
  nft_collection: "NFT collection",
  nft_item: "NFT item",
  nft_sale: "NFT sale",
  nft_auction: "NFT auction",
  dns: "Domain",
  multisig_v2: "Multisig wallet",
  multisig_order_v2: "Multisig order",
  wallet_vesting: "Vesting wallet",
};

/** A detected interface in words: `wallet_v5r1` is `Wallet v5r1`. */
export function nameInterface(name: string): string {
  return interfaceNames[name] ?? name.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());
}

const statusNames: Readonly<Record<string, string>> = {
  active: "Active",
  uninit: "No code yet",
  uninitialized: "No code yet",
  nonexist: "Does not exist",
  frozen: "Frozen",
};

/** The state of an account in words. */
export function nameStatus(status: string): string {
  return statusNames[status] ?? status;
}

/** Turns `jetton_transfer` or `JettonTransfer` into `Jetton transfer`. */
export function humanize(name: string): string {
  const spaced = name.replaceAll("_", " ").replace(/([a-z])([A-Z])/g, "$1 $2");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1).toLowerCase();
}

const wellKnown: Readonly<Record<string, string>> = {
  "-1:5555555555555555555555555555555555555555555555555555555555555555": "Config contract",
  "-1:3333333333333333333333333333333333333333333333333333333333333333": "Elector",
  "-1:0000000000000000000000000000000000000000000000000000000000000000": "System",
  "0:0000000000000000000000000000000000000000000000000000000000000000": "Zero address",
};

/** The name of an address that exists on every network. */
export function findWellKnown(raw: string): string | undefined {
  return wellKnown[raw];
}
