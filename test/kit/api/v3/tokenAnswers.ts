import { type Address, formatAddress, formatRawAddress } from "../../../../src/model/Address.ts";
import { tokenRows } from "../../history/tokenRows.ts";

/** The address book of synthetic accounts that are not in the index. */
export function bookOf(...accounts: readonly Address[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(accounts.map((account) => [formatRawAddress(account), strangerIn(account)]));
}

function strangerIn(account: Address) {
  const flags = { bounceable: false, testOnly: false };
  return { user_friendly: formatAddress(account, flags, "base64url"), domain: null, interfaces: [] };
}

/** Metadata of the synthetic tokens among the accounts; their documents were never fetched. */
export function metadataOf(...accounts: readonly Address[]): Readonly<Record<string, unknown>> {
  const wallets = tokenRows.jettonWallets.filter(({ address }) => accounts.includes(address));
  const all = [...accounts, ...wallets.map(({ jetton }) => jetton)];
  return Object.fromEntries(
    all.flatMap((account) => {
      const token = tokenOf(account);
      return token === undefined
        ? []
        : [[formatRawAddress(account), { is_indexed: "valid" in token, token_info: [token] }]];
    }),
  );
}

function tokenOf(account: Address): object | undefined {
  const isIt = ({ address }: { readonly address: Address }) => address === account;
  const wallet = tokenRows.jettonWallets.find(isIt);
  if (wallet !== undefined) {
    const { owner, jetton, balance } = wallet;
    const extra = { owner: formatRawAddress(owner), jetton: formatRawAddress(jetton), balance: String(balance) };
    return { valid: true, type: "jetton_wallets", extra };
  }
  const item = tokenRows.nftItems.find(isIt);
  if (item !== undefined) return { type: "nft_items", nft_index: String(item.index) };
  if (tokenRows.nftCollections.some(isIt)) return { type: "nft_collections" };
  return tokenRows.jettonMasters.some(isIt) ? { type: "jetton_masters", extra: {} } : undefined;
}
