import type { Cell } from "../cell/Cell.ts";
import { isCoded } from "../lib/errors.ts";
import type { Content } from "../model/content/Content.ts";
import { type DnsRecord, type DnsRecordSet, dnsRecordSet, loadDnsRecord } from "../model/content/DnsRecord.ts";
import type { Hash } from "../model/Hash.ts";
import { askOwnRecords, askTonDomain } from "./families/dns/entry.ts";
import { jettonMaster, type MasterData } from "./families/jetton/master.ts";
import { confirmWallet, type JettonWallet, type JettonWalletData, jettonWallet } from "./families/jetton/wallet.ts";
import { type NftCollection, nftCollection } from "./families/nft/collection.ts";
import { confirmContent, type ItemData, nftItem } from "./families/nft/item.ts";
import { type ContractState, EntityContext, isRefusal, type MethodCaller, refusableAsync } from "./kit/entity.ts";
import { notThis } from "./kit/stack.ts";
import { loadTokenContent } from "./kit/tokenContent.ts";

/** The data of a token contract, confirmed by its master or collection if it has one. */
export type Token =
  | ({ readonly kind: "jettonMaster"; readonly content: Content } & Omit<MasterData, "content">)
  | ({ readonly kind: "jettonWallet" } & JettonWalletData & Pick<JettonWallet, "isClaimed">)
  | ({ readonly kind: "nftCollection"; readonly content: Content } & Omit<NftCollection, "kind" | "content">)
  | ({ readonly kind: "nftItem"; readonly content: ItemContent } & Omit<ItemData, "content">);

export type ItemContent = Content | DomainContent;

/** The records of a domain, in place of an item's content. */
export interface DomainContent {
  readonly kind: "domain";
  readonly domain: string;
  readonly records: readonly { readonly category: Hash; readonly record: DnsRecord }[];
}

const readers: readonly ((asking: EntityContext) => Promise<Token>)[] = [
  async (asking) => withContent("jettonMaster", await jettonMaster.run(asking)),
  async (asking) => {
    const data = await jettonWallet.run(asking);
    return { kind: "jettonWallet", ...data, ...(await confirmWallet(data, asking)) };
  },
  async (asking) => withContent("nftCollection", await nftCollection.run(asking)),
  readItem,
];

/**
 * The token of an account, by its own answers: the first kind that answers and is confirmed. Unlike the index, which
 * requires the exact standard, it reads answers loosely. Refuses a token whose only fault is content without a URI
 * (`contracts/no-uri`).
 */
export async function findToken(account: ContractState, caller: MethodCaller): Promise<Token | undefined> {
  const asking = new EntityContext(account, caller, "loose");
  let placeless: unknown;
  for (const read of readers) {
    try {
      return await read(asking);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (isCoded(error, "contracts/no-uri")) placeless ??= error;
    }
  }
  if (placeless !== undefined) throw placeless;
  return undefined;
}

function withContent<K extends string, D extends { readonly content: Cell }>(kind: K, data: D) {
  return { kind, ...data, content: loadTokenContent(data.content) };
}

async function readItem(asking: EntityContext): Promise<Token> {
  const data = await nftItem.run(asking);
  const [content, domain] = await Promise.all([
    confirmContent(data, asking).then(loadTokenContent),
    refusableAsync(() => readDomain(asking)),
  ]);
  return { kind: "nftItem", ...data, content: domain ?? content };
}

async function readDomain(asking: EntityContext): Promise<DomainContent> {
  const { records } = await askOwnRecords(asking);
  if (records === undefined) throw notThis("a domain without records");
  const found = knownRecords(dnsRecordSet(records));
  return { kind: "domain", domain: await askTonDomain(asking), records: found };
}

function knownRecords(records: DnsRecordSet): DomainContent["records"] {
  return records.entries().flatMap(([category, cell]) => {
    const record = loadDnsRecord(cell);
    return record.kind === "unknown" ? [] : [{ category, record }];
  });
}
