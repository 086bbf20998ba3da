import { parseAddress } from "../model/Address.ts";
import type { EntityKind, FoundBy } from "./engine/declareFamily.ts";
import { type DomainCollections, domainCollections } from "./families/dns/collections.ts";
import { type DnsEntry, findDnsEntry } from "./families/dns/entry.ts";
import type { NftItem } from "./families/nft/item.ts";
import { type ContractState, EntityContext, type MethodCaller } from "./kit/entity.ts";
import { families } from "./registry.ts";

/** A detected entity of an account. */
export type DetectedEntity = FoundBy<(typeof families)[number]> | DnsEntry;

export interface DetectSetting {
  /** The collections whose items are domains, or how to find them; by default those of the public networks. */
  readonly domains?: DomainCollections | (() => Promise<DomainCollections>);
}

const entityKinds = families.flatMap(({ entities }): readonly EntityKind<DetectedEntity>[] => entities);

/** Codes of plain wallets, which are not entities. */
const wallets = new Set(families.flatMap(({ plainInterfaces }) => plainInterfaces.flatMap(({ codes }) => codes)));

/** The elector and the configuration contract are large and are not entities. */
const skipped = new Set(["3", "5"].map((digit) => parseAddress(`-1:${digit.repeat(64)}`).address));

/**
 * Detects the entities of an account: often none, sometimes several. An answer of a contract never causes an error;
 * errors of the caller are thrown.
 */
export async function detect(
  account: ContractState,
  caller: MethodCaller,
  { domains = domainCollections }: DetectSetting = {},
): Promise<DetectedEntity[]> {
  if (skipped.has(account.address) || wallets.has(account.codeHash)) return [];
  const asking = new EntityContext(account, caller);
  const possible = entityKinds.filter((kind) => kind.mayBe(account));
  const detectedEntities = await Promise.all(
    possible.map((kind): Promise<DetectedEntity | undefined> => kind.find(asking)),
  );
  const entities = detectedEntities.filter((each) => each !== undefined);
  const item = entities.find((each) => each.kind === "nftItem");
  const entry = item && (await findEntry(item, asking, domains));
  if (entry === undefined) return entities;
  return [...entities.map((each) => (each === item ? named(item, entry) : each)), entry];
}

/** Looks for collections of domains only when an item may belong to one. */
async function findEntry(
  item: NftItem,
  asking: EntityContext,
  domains: NonNullable<DetectSetting["domains"]>,
): Promise<DnsEntry | undefined> {
  if (item.collection === undefined || !asking.mayHave("dnsresolve")) return undefined;
  return findDnsEntry(item, asking, typeof domains === "function" ? await domains() : domains);
}

/** The item with its name among its attributes. */
function named(item: NftItem, { domain }: DnsEntry): NftItem {
  return { ...item, content: { ...item.content, domain } };
}
