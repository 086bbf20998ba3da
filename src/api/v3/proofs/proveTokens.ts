import { findCode, findData, getAccountAt } from "../../../chain/accounts.ts";
import type { Chain } from "../../../chain/Chain.ts";
import { getTokenData } from "../../../chain/contracts/tokens.ts";
import { chainAt } from "../../../chain/pinned/atBlock.ts";
import type { Token } from "../../../contracts/token.ts";
import { isCoded } from "../../../lib/errors.ts";
import type { JsonValue } from "../../../lib/json.ts";
import { inParallel } from "../../../lib/sharing/inParallel.ts";
import { type Address, findAddress, formatRawAddress } from "../../../model/Address.ts";
import { hashToBase64 } from "../../../model/Hash.ts";
import { ApiError } from "../../declare/errors.ts";
import { type ProofRule, shownProof } from "../../declare/proof.ts";
import { type Json, rowsIn, unprovable } from "./transactionProof.ts";

/** The most tokens of one proof: each needs the states of several accounts. */
const maxTokens = 50;
const tokensAtOnce = 8;

type Kind = Token["kind"];

/** The lists of tokens: their names in answers, and which field an argument asks for. */
const lists = {
  jettonMaster: { name: "jetton_masters", asked: { address: "address", admin_address: "admin_address" } },
  jettonWallet: {
    name: "jetton_wallets",
    asked: { address: "address", owner_address: "owner", jetton_address: "jetton" },
  },
  nftCollection: {
    name: "nft_collections",
    asked: { collection_address: "address", owner_address: "owner_address" },
  },
  nftItem: {
    name: "nft_items",
    asked: { address: "address", owner_address: "owner_address", collection_address: "collection_address" },
  },
} as const satisfies Readonly<Record<Kind, { name: string; asked: Readonly<Record<string, string>> }>>;

/** Proves what tokens say of themselves at the newest block of the index; their get-methods run at the receiver. */
export function tokenProof(kind: Kind): ProofRule {
  const { name, asked } = lists[kind];
  return shownProof(async (chain, args, { result, at }) => {
    if (args.include_on_sale === true) throw unprovable("leave out include_on_sale; nft/sales is of the index");
    const rows = rowsIn(result, name);
    if (rows.length > maxTokens)
      throw unprovable(`a proof covers at most ${maxTokens} tokens; ask for fewer with limit`);
    const pinned = await chainAt(chain, at);
    const proved = await inParallel(rows, tokensAtOnce, async (row) => {
      const address = findAddress(String((Object(row) as Json).address))?.address;
      if (address === undefined) throw unprovable("a row does not say of which account it is");
      const fields = await readToken(pinned, address, kind);
      for (const [arg, field] of Object.entries(asked)) checkAsked(args[arg], fields[field]);
      return fields;
    });
    return { result: { [name]: proved }, isComplete: false, at: pinned.head };
  });
}

/** Addresses are lists of arguments; an empty one asks for nothing. */
function checkAsked(wanted: unknown, value: JsonValue | undefined): void {
  const addresses = Array.isArray(wanted) ? wanted.map((each) => formatRawAddress(each as Address)) : [];
  if (addresses.length > 0 && !addresses.includes(String(value)))
    throw new ApiError("api/incomplete", `a token of ${value} was not asked for`);
}

async function readToken(chain: Chain, address: Address, kind: Kind): Promise<Json> {
  const token = await findTokenData(chain, address);
  if (token?.kind !== kind) throw unprovable(`${address} does not say of itself that it is such a token`);
  const account = await getAccountAt(chain, address, chain.head.block);
  const [code, data] = [findCode(account), findData(account)];
  return {
    address: formatRawAddress(address),
    ...fieldsOf(token),
    code_hash: code === undefined ? null : hashToBase64(code.hash()),
    data_hash: data === undefined ? null : hashToBase64(data.hash()),
  };
}

async function findTokenData(chain: Chain, address: Address): Promise<Token | undefined> {
  try {
    return await getTokenData(chain, address);
  } catch (error) {
    if (!isCoded(error, "chain/not-token") && !isCoded(error, "contracts/no-uri")) throw error;
    return undefined;
  }
}

/** What its get-methods say, as answers of the index have it; not its content, which may be elsewhere. */
function fieldsOf(token: Token): Json {
  switch (token.kind) {
    case "jettonMaster":
      return {
        total_supply: String(token.totalSupply),
        mintable: token.mintable,
        admin_address: addressOrNull(token.admin),
        jetton_wallet_code_hash: hashToBase64(token.walletCode.hash()),
      };
    case "jettonWallet":
      return {
        balance: String(token.balance),
        owner: formatRawAddress(token.owner),
        jetton: formatRawAddress(token.jetton),
      };
    case "nftCollection":
      return { owner_address: addressOrNull(token.owner), next_item_index: String(token.nextItemIndex) };
    case "nftItem":
      return {
        init: token.isInit,
        index: String(token.index),
        collection_address: addressOrNull(token.collection),
        owner_address: addressOrNull(token.owner),
      };
  }
}

function addressOrNull(address: Address | undefined): string | null {
  return address === undefined ? null : formatRawAddress(address);
}
