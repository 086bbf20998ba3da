import { beginCell } from "../cell/Builder.ts";
import type { Cell } from "../cell/Cell.ts";
import { cell } from "../cell/codec.ts";
import { Dictionary } from "../cell/dictionary.ts";
import { hashKey } from "../cell/keys.ts";
import { sliceOf } from "../cell/Slice.ts";
import { addressValue, cellValue, intValue, sliceValue } from "../contracts/stackValues.ts";
import { isCoded } from "../lib/errors.ts";
import type { Address } from "../model/Address.ts";
import { type Content, loadContent, maxContentBytes } from "../model/Content.ts";
import { type DnsRecord, type DnsRecordSet, loadDnsRecord } from "../model/DnsRecord.ts";
import type { Hash } from "../model/Hash.ts";
import { findText, loadSnake } from "../model/Snake.ts";
import type { VmStack } from "../model/VmStack.ts";
import { type AccountNow, getAccount, getAccountAt } from "./accounts.ts";
import type { Chain } from "./Chain.ts";
import { ChainError } from "./errors.ts";
import { isSuccess, runMethod } from "./getMethod.ts";
import { addressAt, cellAt, findAddressAt, intAt } from "./stackValues.ts";

/** What a token's contract says of itself, checked with its master or collection where it has one. */
export type Token =
  | {
      readonly kind: "jettonMaster";
      readonly totalSupply: bigint;
      readonly mintable: boolean;
      readonly admin: Address | undefined;
      readonly content: Content;
      readonly walletCode: Cell;
    }
  | {
      readonly kind: "jettonWallet";
      readonly balance: bigint;
      readonly owner: Address;
      readonly master: Address;
      readonly walletCode: Cell;
      /** Only of jettons that are given out by proof. */
      readonly isClaimed: boolean | undefined;
    }
  | {
      readonly kind: "nftCollection";
      readonly nextItemIndex: bigint;
      readonly owner: Address | undefined;
      readonly content: Content;
    }
  | {
      readonly kind: "nftItem";
      readonly isInit: boolean;
      readonly index: bigint;
      readonly collection: Address | undefined;
      readonly owner: Address | undefined;
      readonly content: ItemContent;
    };

export type ItemContent = Content | DomainContent;

/** What a domain says in place of an item's content. */
export interface DomainContent {
  readonly kind: "domain";
  readonly domain: string;
  readonly records: readonly { readonly category: Hash; readonly record: DnsRecord }[];
}

type TokenOf<Kind extends Token["kind"]> = Extract<Token, { readonly kind: Kind }>;

/** Finds out what token a contract is: the first kind that answers as such and is confirmed. */
export async function getTokenData(chain: Chain, address: Address, seqno?: number): Promise<Token> {
  const account = await getAccount(chain, address, seqno);
  if (account.content.kind === "active") {
    for (const read of [readMaster, readWallet, readCollection, readItem]) {
      const token = await attempt<Token>(() => read(chain, account));
      if (token !== undefined) return token;
    }
  }
  throw new ChainError("chain/not-token", `${address} is neither jetton nor NFT`);
}

/** What a contract answers may be anything: whatever cannot be read only means that it is not this kind of token. */
async function attempt<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isCoded(error) && /^(?:chain\/not-token$|cell\/|model\/)/.test(error.code)) return undefined;
    throw error;
  }
}

/** Runs a get-method that has to end well and to give at least so many values. */
async function call(
  chain: Chain,
  account: AccountNow,
  method: string,
  stack: VmStack,
  least: number,
): Promise<VmStack> {
  const outcome = await runMethod(chain, account, { method, stack });
  if (!isSuccess(outcome) || outcome.stack.length < least)
    throw new ChainError("chain/not-token", `${account.address} has no ${method}`);
  return outcome.stack;
}

async function readMaster(chain: Chain, account: AccountNow): Promise<TokenOf<"jettonMaster">> {
  const stack = await call(chain, account, "get_jetton_data", [], 5);
  return {
    kind: "jettonMaster",
    totalSupply: intAt(stack, 0),
    mintable: intAt(stack, 1) !== 0n,
    admin: findAddressAt(stack, 2),
    content: loadContent(cellAt(stack, 3)),
    walletCode: cellAt(stack, 4),
  };
}

async function readWallet(chain: Chain, account: AccountNow): Promise<TokenOf<"jettonWallet">> {
  const stack = await call(chain, account, "get_wallet_data", [], 4);
  const [balance, owner, master] = [intAt(stack, 0), addressAt(stack, 1), addressAt(stack, 2)];
  const walletCode = cellAt(stack, 3);
  const masterAccount = await getAccountAt(chain, master, account.block);
  const [confirmed, claimed] = await Promise.all([
    call(chain, masterAccount, "get_wallet_address", [addressValue(owner)], 1),
    attempt(() => call(chain, account, "is_claimed", [], 1)),
  ]);
  if (addressAt(confirmed, 0) !== account.address)
    throw new ChainError("chain/not-token", `${master} has another wallet for ${owner}`);
  const isClaimed = claimed?.[0]?.kind === "int" ? claimed[0].value !== 0n : undefined;
  return { kind: "jettonWallet", balance, owner, master, walletCode, isClaimed };
}

async function readCollection(chain: Chain, account: AccountNow): Promise<TokenOf<"nftCollection">> {
  const stack = await call(chain, account, "get_collection_data", [], 3);
  return {
    kind: "nftCollection",
    nextItemIndex: intAt(stack, 0),
    content: loadContent(cellAt(stack, 1)),
    owner: findAddressAt(stack, 2),
  };
}

async function readItem(chain: Chain, account: AccountNow): Promise<TokenOf<"nftItem">> {
  const stack = await call(chain, account, "get_nft_data", [], 5);
  const [isInit, index] = [intAt(stack, 0) !== 0n, intAt(stack, 1)];
  const collection = findAddressAt(stack, 2);
  const own = cellAt(stack, 4);
  const [content, domain] = await Promise.all([
    collection === undefined ? loadContent(own) : readItemContent(chain, account, { collection, index, own }),
    attempt(() => readDomain(chain, account)),
  ]);
  const owner = findAddressAt(stack, 3);
  return { kind: "nftItem", isInit, index, collection, owner, content: domain ?? content };
}

/** The content an item has together with its collection, which must know the item by its index. */
async function readItemContent(
  chain: Chain,
  account: AccountNow,
  { collection, index, own }: { readonly collection: Address; readonly index: bigint; readonly own: Cell },
): Promise<Content> {
  const holder = await getAccountAt(chain, collection, account.block);
  const [confirmed, content] = await Promise.all([
    call(chain, holder, "get_nft_address_by_index", [intValue(index)], 1),
    call(chain, holder, "get_nft_content", [intValue(index), cellValue(own)], 1),
  ]);
  if (addressAt(confirmed, 0) !== account.address)
    throw new ChainError("chain/not-token", `${collection} has another item ${index}`);
  return loadContent(cellAt(content, 0));
}

/** The name that means the item's own domain. */
const ownName = sliceValue(beginCell().storeUint(0, 8).cell());

async function readDomain(chain: Chain, account: AccountNow): Promise<DomainContent> {
  const resolved = await call(chain, account, "dnsresolve", [ownName, intValue(0n)], 2);
  const records: DnsRecordSet = new Dictionary(cellAt(resolved, 1), hashKey, cell);
  const named = await call(chain, account, "get_domain", [], 1);
  const name = findText(loadSnake(openText(named), maxContentBytes));
  if (name === undefined) throw new ChainError("chain/not-token", "the name of a domain is not UTF-8");
  return { kind: "domain", domain: `${name}.ton`, records: knownRecords(records) };
}

function openText(stack: VmStack) {
  return sliceOf(cellAt(stack, 0));
}

function knownRecords(records: DnsRecordSet): DomainContent["records"] {
  return records.entries().flatMap(([category, cell]) => {
    const record = loadDnsRecord(cell);
    return record.kind === "unknown" ? [] : [{ category, record }];
  });
}
