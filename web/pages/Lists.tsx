import { useState } from "preact/hooks";
import { type Ask, v3 } from "../api/ask.ts";
import { findKnown, learn } from "../api/book.ts";
import { useHead } from "../api/live.ts";
import { useAsk } from "../api/useAsk.ts";
import { href } from "../browser/router.ts";
import { formatCount } from "../format/coins.ts";
import { nameInterface } from "../format/names.ts";
import { AddressLink, friendlyOf } from "../parts/AddressLink.tsx";
import { Pager } from "../parts/Pager.tsx";
import { Await, Panel } from "../parts/Panel.tsx";
import { ShareBar } from "../parts/ShareBar.tsx";
import { Ago, BlockLink, Coins, HashText, SymbolWarning, TokenAmount } from "../parts/values.tsx";
import { Paged, Rows, size } from "./lists/Paged.tsx";
import { Validators } from "./lists/Validators.tsx";
import type { PageProps } from "./PageProps.ts";

const kinds = [
  ["blocks", "Blocks", Blocks],
  ["jettons", "Jettons", Jettons],
  ["collections", "NFT collections", Collections],
  ["accounts", "Accounts by balance", Accounts],
  ["validators", "Validators", Validators],
] as const;

/** What the network has, a page of it at a time. */
export function Lists({ params: [kind = ""] }: PageProps) {
  const [, title, List] = kinds.find(([id]) => id === kind) ?? kinds[0];
  return (
    <>
      <h1>{title}</h1>
      <nav class="tabs" aria-label="Lists">
        {kinds.map(([id, name]) => (
          <a key={id} href={href(`/list/${id}`)} aria-current={name === title ? "page" : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <List />
    </>
  );
}

function Blocks() {
  const { seqno } = useHead();
  return (
    <Paged
      title="Masterchain blocks"
      note="The newest first; each page of a block has its shard blocks."
      columns={["Block", "Time", ">Transactions", "Root hash"]}
      version={seqno}
      askAt={(page) => v3("blocks", { workchain: -1, ...page })}
      rowsOf={({ blocks }) =>
        blocks.map((block) => [
          block.root_hash,
          <BlockLink key="block" block={block} />,
          <Ago key="time" at={block.gen_utime} />,
          formatCount(block.tx_count),
          <HashText key="hash" hash={block.root_hash} />,
        ])
      }
    />
  );
}

function Jettons() {
  return (
    <Paged
      title="Jettons"
      columns={["Jetton", "Symbol", ">Supply", "Admin"]}
      askAt={(page) => v3("jetton/masters", page)}
      rowsOf={({ jetton_masters: masters }) =>
        masters.map(({ address, total_supply: supply, admin_address: admin }) => [
          address,
          <a key="name" href={href(`/jetton/${friendlyOf(address)}`)}>
            <bdi>{findKnown(address).token?.name ?? friendlyOf(address)}</bdi>
          </a>,
          <>
            <bdi>{findKnown(address).token?.symbol ?? "–"}</bdi>
            <SymbolWarning asset={address} />
          </>,
          <TokenAmount key="supply" value={supply} asset={address} />,
          <AddressLink key="admin" address={admin} />,
        ])
      }
    />
  );
}

function Collections() {
  return (
    <Paged
      title="NFT collections"
      columns={["Collection", ">Items", "Owner"]}
      askAt={(page) => v3("nft/collections", page)}
      rowsOf={({ nft_collections: collections }) =>
        collections.map(({ address, next_item_index: next, owner_address: owner }) => [
          address,
          <a key="name" href={href(`/nft/${friendlyOf(address)}`)}>
            <bdi>{findKnown(address).token?.name ?? friendlyOf(address)}</bdi>
          </a>,
          next.startsWith("-") ? "not counted" : formatCount(next),
          <AddressLink key="owner" address={owner} />,
        ])
      }
    />
  );
}

/** Names and interfaces; the answer is an address book itself. */
function askBook(address: readonly string[]): Ask<unknown> {
  const read = (book: unknown) => {
    learn({ address_book: book });
    return book;
  };
  return { ...v3("addressBook", { address: [...address] }), read };
}

/** The list has addresses and balances only; names come from the address book. */
function Accounts() {
  const [offset, setOffset] = useState(0);
  const { seqno } = useHead();
  const ask = v3("topAccountsByBalance", { limit: size, offset });
  const loaded = useAsk(ask, Math.floor(seqno / 5));
  const addresses = loaded.kind === "ok" ? loaded.data.map(({ account }) => account) : [];
  const askNames = addresses.length === 0 ? undefined : askBook(addresses);
  const names = useAsk(askNames);
  const [largest] = loaded.kind === "ok" ? loaded.data : [];
  return (
    <Panel title="Accounts by balance" from={[ask, askNames]} note="Bars compare with the first account of the page.">
      <Await of={loaded}>
        {(list) => (
          <>
            <Rows
              title="Accounts by balance"
              columns={["#", "Account", "Kind", ">Balance", "Share"]}
              rows={list.map(({ account, balance }, at) => [
                account,
                offset + at + 1,
                <AddressLink key={`account ${names.kind}`} address={account} />,
                findKnown(account).interfaces.map(nameInterface).join(", "),
                <Coins key="balance" value={balance} />,
                <ShareBar key="share" part={BigInt(balance)} whole={BigInt(largest?.balance ?? 0)} />,
              ])}
            />
            <Pager offset={offset} size={size} count={list.length} onMove={setOffset} />
          </>
        )}
      </Await>
    </Panel>
  );
}
