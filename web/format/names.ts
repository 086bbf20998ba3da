/** Readable forms of technical names. */

const interfaceNames: Readonly<Record<string, string>> = {
  jetton_master: "Jetton",
  jetton_wallet: "Jetton wallet",
  dns: "Domain",
  multisig_v2: "Multisig wallet",
  multisig_order_v2: "Multisig order",
  wallet_vesting: "Vesting wallet",
};

/** A detected interface in words: `wallet_v5r1` is `Wallet v5r1`. */
export function nameInterface(name: string): string {
  return interfaceNames[name] ?? humanize(name);
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

const abbreviation = /\b(?:dex|dns|lp|nft|sbt|ton|tvm)\b/g;

/** Turns `jetton_transfer` or `JettonTransfer` into `Jetton transfer`, and `nft_transfer` into `NFT transfer`. */
export function humanize(name: string): string {
  const spaced = name.replaceAll("_", " ").replace(/([a-z])([A-Z])/g, "$1 $2");
  const words = spaced.toLowerCase().replace(abbreviation, (short) => short.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
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

export const wellKnownAddresses: readonly string[] = Object.keys(wellKnown);
