import { useState } from "preact/hooks";
import { v3 } from "../api/ask.ts";
import { findKnown } from "../api/book.ts";
import { useNews } from "../api/live.ts";
import type { NftItem, V3Answer } from "../api/types.ts";
import { useAsk } from "../api/useAsk.ts";
import { useModule } from "../browser/useModule.ts";
import { parseAddress } from "../format/address.ts";
import { AddressLink } from "../parts/AddressLink.tsx";
import { ExternalLink } from "../parts/ExternalLink.tsx";
import { NftCards, nameNft, Placeholder } from "../parts/NftCards.tsx";
import { Pager } from "../parts/Pager.tsx";
import { Await, Empty, Facts, Panel } from "../parts/Panel.tsx";
import { Ago, Badge, HashText } from "../parts/values.tsx";
import type { PageProps } from "./PageProps.ts";

type Collection = V3Answer<"nft/collections">["nft_collections"][number];
const size = 24;

const loadFacts = () => import("./account/ContractFacts.tsx");

/** An NFT collection with its items, or one item with its owner. */
export function Nft({ params: [given = ""] }: PageProps) {
  const address = parseAddress(given);
  const version = useNews(address);
  const askCollection =
    address === undefined ? undefined : v3("nft/collections", { collection_address: [address], limit: 1 });
  const askItem = address === undefined ? undefined : v3("nft/items", { address: [address], limit: 1 });
  const collections = useAsk(askCollection, version);
  const items = useAsk(askItem, version);
  const facts = useModule(loadFacts);
  if (address === undefined) return <p class="failure">This is not an address: {given.slice(0, 100)}</p>;
  const collection = collections.kind === "ok" ? collections.data.nft_collections[0] : undefined;
  const item = items.kind === "ok" ? items.data.nft_items[0] : undefined;
  const isNeither = collections.kind === "ok" && items.kind === "ok" && collection === undefined && item === undefined;
  return (
    <>
      <h1>
        <bdi>{item === undefined ? nameCollection(address, collection) : nameNft(item)}</bdi>
      </h1>
      <Panel title="Overview" from={[askCollection, askItem]}>
        <Await of={collections}>{() => collection !== undefined && <CollectionFacts collection={collection} />}</Await>
        <Await of={items}>{() => item !== undefined && <ItemFacts item={item} />}</Await>
        {isNeither && (
          <Empty>This account is neither an NFT collection nor an item, or the index has not seen it.</Empty>
        )}
      </Panel>
      {typeof item?.sale_contract_address === "string" && facts !== undefined && (
        <facts.SaleFacts address={item.sale_contract_address} version={version} />
      )}
      {collection !== undefined && <Items collection={address} version={version} />}
      {!isNeither && <Transfers address={address} isCollection={collection !== undefined} version={version} />}
    </>
  );
}

function nameCollection(address: string, collection: Collection | undefined): string {
  const { name } = Object(collection?.collection_content) as { readonly name?: unknown };
  return findKnown(address).token?.name ?? (typeof name === "string" ? name.slice(0, 80) : "NFT collection");
}

function CollectionFacts({ collection }: { readonly collection: Collection }) {
  const { token } = findKnown(collection.address);
  return (
    <Facts
      facts={[
        ["Collection", <AddressLink key="address" address={collection.address} isFull />],
        ["Owner", <AddressLink key="owner" address={collection.owner_address} />],
        ["Items", collection.next_item_index === "-1" ? "not in sequence" : collection.next_item_index],
        token?.description !== undefined && ["Description", <bdi key="about">{token.description}</bdi>],
        token?.image !== undefined && ["Picture", <ExternalLink key="image" url={token.image} />],
      ]}
    />
  );
}

function ItemFacts({ item }: { readonly item: NftItem }) {
  const { token } = findKnown(item.address);
  return (
    <div class="beside-picture">
      <Placeholder address={item.address} />
      <Facts
        facts={[
          ["Item", <AddressLink key="address" address={item.address} isFull />],
          [
            "Index",
            <span key="index" class="number">
              {item.index}
            </span>,
          ],
          [
            "Collection",
            item.collection_address === null ? (
              "none"
            ) : (
              <AddressLink key="collection" address={item.collection_address} />
            ),
          ],
          ["Owner", <AddressLink key="owner" address={item.real_owner ?? item.owner_address} />],
          item.on_sale && [
            "Sale",
            <>
              <Badge tone="warn">on sale</Badge> <AddressLink address={item.sale_contract_address} />
            </>,
          ],
          token?.description !== undefined && ["Description", <bdi key="about">{token.description}</bdi>],
          token?.image !== undefined && [
            "Picture",
            <ExternalLink key="image" url={token.image} />,
            "External pictures load only on request",
          ],
        ]}
      />
    </div>
  );
}

function Items({ collection, version }: { readonly collection: string; readonly version: number }) {
  const [offset, setOffset] = useState(0);
  const ask = v3("nft/items", { collection_address: [collection], limit: size, offset });
  const loaded = useAsk(ask, version);
  return (
    <Panel title="Items" from={[ask]}>
      <Await of={loaded}>
        {({ nft_items: items }) => (
          <>
            {items.length === 0 ? <Empty>No items yet.</Empty> : <NftCards items={items} />}
            <Pager offset={offset} size={size} count={items.length} onMove={setOffset} />
          </>
        )}
      </Await>
    </Panel>
  );
}

interface TransfersProps {
  readonly address: string;
  readonly isCollection: boolean;
  readonly version: number;
}

function Transfers({ address, isCollection, version }: TransfersProps) {
  const ask = v3("nft/transfers", {
    ...(isCollection ? { collection_address: address } : { item_address: [address] }),
    limit: 20,
  });
  const loaded = useAsk(ask, version);
  return (
    <Panel title="Transfers" from={[ask]}>
      <Await of={loaded}>
        {({ nft_transfers: transfers }) =>
          transfers.length === 0 ? (
            <Empty>No transfers yet.</Empty>
          ) : (
            <ul class="rows">
              {transfers.map((transfer) => (
                <li key={transfer.transaction_hash} class={transfer.transaction_aborted ? "failed" : undefined}>
                  <span>
                    <AddressLink address={transfer.old_owner} /> gave <AddressLink address={transfer.nft_address} /> to{" "}
                    <AddressLink address={transfer.new_owner} />{" "}
                    {transfer.transaction_aborted && <Badge tone="bad">failed</Badge>}
                  </span>
                  <span class="aside">
                    <Ago at={transfer.transaction_now} />
                    <HashText hash={transfer.transaction_hash} to="tx" />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Await>
    </Panel>
  );
}
