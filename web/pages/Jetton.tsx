import { useState } from "preact/hooks";
import { v3 } from "../api/ask.ts";
import { findKnown } from "../api/book.ts";
import { useNews } from "../api/live.ts";
import type { JettonMaster } from "../api/types.ts";
import { useAsk } from "../api/useAsk.ts";
import { parseAddress } from "../format/address.ts";
import { AddressLink } from "../parts/AddressLink.tsx";
import { ExternalLink } from "../parts/ExternalLink.tsx";
import { Pager } from "../parts/Pager.tsx";
import { Await, Empty, Facts, Panel } from "../parts/Panel.tsx";
import { ShareBar } from "../parts/ShareBar.tsx";
import { Ago, Badge, HashText, SymbolWarning, TokenAmount } from "../parts/values.tsx";
import type { PageProps } from "./PageProps.ts";

const size = 20;

/** A jetton: its data, holders and transfers. */
export function Jetton({ params: [given = ""] }: PageProps) {
  const address = parseAddress(given);
  const version = useNews(address);
  const ask = address === undefined ? undefined : v3("jetton/masters", { address: [address], limit: 1 });
  const loaded = useAsk(ask, version);
  if (address === undefined) return <p class="failure">This is not an address: {given.slice(0, 100)}</p>;
  const token = findKnown(address).token;
  return (
    <>
      <h1>
        <bdi>{token?.name ?? "Jetton"}</bdi> {token?.symbol !== undefined && <bdi class="muted">{token.symbol}</bdi>}
        <SymbolWarning asset={address} />
      </h1>
      <Panel title="Overview" from={[ask]}>
        <Await of={loaded}>
          {({ jetton_masters: [master] }) =>
            master === undefined ? (
              <Empty>This account is not a jetton, or the index has not seen it.</Empty>
            ) : (
              <Overview master={master} />
            )
          }
        </Await>
      </Panel>
      <Holders
        address={address}
        version={version}
        supply={loaded.kind === "ok" ? BigInt(loaded.data.jetton_masters[0]?.total_supply ?? 0) : 0n}
      />
      <Transfers address={address} version={version} />
    </>
  );
}

function Overview({ master }: { readonly master: JettonMaster }) {
  const { token } = findKnown(master.address);
  return (
    <Facts
      facts={[
        [
          "Supply",
          <strong key="supply" class="large">
            <TokenAmount value={master.total_supply} asset={master.address} />
          </strong>,
        ],
        ["Contract", <AddressLink key="address" address={master.address} isFull />],
        ["Admin", <AddressLink key="admin" address={master.admin_address} />, "Who may change the token"],
        ["Mintable", <Badge key="mintable">{master.mintable ? "yes: more can be made" : "no"}</Badge>],
        ["Decimals", String(token?.decimals ?? 9)],
        token?.description !== undefined && ["Description", <bdi key="description">{token.description}</bdi>],
        token?.image !== undefined && [
          "Picture",
          <ExternalLink key="image" url={token.image} />,
          "External pictures load only on request",
        ],
        ["Wallet code", <HashText key="code" hash={master.jetton_wallet_code_hash} />],
      ]}
    />
  );
}

interface ListProps {
  readonly address: string;
  readonly version: number;
}

function Holders({ address, version, supply }: ListProps & { readonly supply: bigint }) {
  const [offset, setOffset] = useState(0);
  const ask = v3("jetton/wallets", {
    jetton_address: [address],
    sort: "desc",
    exclude_zero_balance: true,
    limit: size,
    offset,
  });
  const loaded = useAsk(ask, version);
  return (
    <Panel title="Holders" from={[ask]} note="The largest first; bars are shares of the supply.">
      <Await of={loaded}>
        {({ jetton_wallets: wallets }) => (
          <>
            {wallets.length === 0 && <Empty>Nobody holds it.</Empty>}
            <ol class="rows" start={offset + 1}>
              {wallets.map((wallet) => (
                <li key={wallet.address}>
                  <AddressLink address={wallet.owner} />
                  <span class="aside">
                    <TokenAmount value={wallet.balance} asset={address} />
                  </span>
                  <ShareBar part={BigInt(wallet.balance)} whole={supply} />
                </li>
              ))}
            </ol>
            <Pager offset={offset} size={size} count={wallets.length} onMove={setOffset} />
          </>
        )}
      </Await>
    </Panel>
  );
}

function Transfers({ address, version }: ListProps) {
  const [offset, setOffset] = useState(0);
  const ask = v3("jetton/transfers", { jetton_master: address, limit: size, offset });
  const loaded = useAsk(ask, version);
  return (
    <Panel title="Transfers" from={[ask]}>
      <Await of={loaded}>
        {({ jetton_transfers: transfers }) => (
          <>
            {transfers.length === 0 && <Empty>No transfers yet.</Empty>}
            <ul class="rows">
              {transfers.map((transfer) => (
                <li key={transfer.transaction_hash}>
                  <span>
                    <AddressLink address={transfer.source} /> sent{" "}
                    <TokenAmount value={transfer.amount} asset={address} /> to{" "}
                    <AddressLink address={transfer.destination} />
                  </span>
                  <span class="aside">
                    <Ago at={transfer.transaction_now} />
                    <HashText hash={transfer.transaction_hash} to="tx" />
                  </span>
                </li>
              ))}
            </ul>
            <Pager offset={offset} size={size} count={transfers.length} onMove={setOffset} />
          </>
        )}
      </Await>
    </Panel>
  );
}
