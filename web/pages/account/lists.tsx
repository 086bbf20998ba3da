import { useState } from "preact/hooks";
import { v3 } from "../../api/ask.ts";
import { findKnown } from "../../api/book.ts";
import { useAsk } from "../../api/useAsk.ts";
import { useErrorWords } from "../../api/useErrorWords.ts";
import { href } from "../../browser/router.ts";
import { AddressLink, friendlyOf } from "../../parts/AddressLink.tsx";
import { NftCards } from "../../parts/NftCards.tsx";
import { Pager } from "../../parts/Pager.tsx";
import { Await, Empty, Panel } from "../../parts/Panel.tsx";
import { ActionList } from "../../parts/Sentence.tsx";
import { Table } from "../../parts/Table.tsx";
import { TokenAmount } from "../../parts/values.tsx";
import { TransactionList } from "../../trace/TransactionList.tsx";

export interface TabProps {
  readonly address: string;
  /** Changes when there may be new data. */
  readonly version: number;
}

const size = 20;

export function ActionsTab({ address, version }: TabProps) {
  const [offset, setOffset] = useState(0);
  const ask = v3("actions", { account: address, limit: size, offset });
  const loaded = useAsk(ask, version);
  return (
    <Panel title="Actions" from={[ask]} note="What happened, each in one sentence.">
      <Await of={loaded}>
        {({ actions }) => (
          <>
            {actions.length === 0 ? <Empty>Nothing has happened here yet.</Empty> : <ActionList actions={actions} />}
            <Pager offset={offset} size={size} count={actions.length} onMove={setOffset} />
          </>
        )}
      </Await>
    </Panel>
  );
}

export function TransactionsTab({ address, version }: TabProps) {
  const [offset, setOffset] = useState(0);
  const ask = v3("transactions", { account: [address], limit: size, offset });
  const loaded = useAsk(ask, version);
  const words = useErrorWords(loaded.kind === "ok" ? loaded.data.transactions : []);
  return (
    <Panel title="Transactions" from={[ask, ...words]}>
      <Await of={loaded}>
        {({ transactions }) => (
          <>
            {transactions.length === 0 ? (
              <Empty>No transactions yet.</Empty>
            ) : (
              <TransactionList transactions={transactions} isOneAccount />
            )}
            <Pager offset={offset} size={size} count={transactions.length} onMove={setOffset} />
          </>
        )}
      </Await>
    </Panel>
  );
}

export function TokensTab({ address, version }: TabProps) {
  const ask = v3("jetton/wallets", { owner_address: [address], limit: 100 });
  const loaded = useAsk(ask, version);
  return (
    <Panel title="Tokens" from={[ask]} note="Jettons that this account owns.">
      <Await of={loaded}>
        {({ jetton_wallets: wallets }) =>
          wallets.length === 0 ? (
            <Empty>This account has no tokens.</Empty>
          ) : (
            <Table title="Tokens" columns={["Token", ">Balance", "Jetton wallet"]}>
              {wallets.map((wallet) => (
                <tr key={wallet.address}>
                  <td data-label="Token">
                    <a href={href(`/jetton/${friendlyOf(wallet.jetton)}`)}>
                      <bdi>{findKnown(wallet.jetton).token?.name ?? friendlyOf(wallet.jetton)}</bdi>
                    </a>
                  </td>
                  <td class="right" data-label="Balance">
                    <TokenAmount value={wallet.balance} asset={wallet.jetton} />
                  </td>
                  <td data-label="Jetton wallet">
                    <AddressLink address={wallet.address} />
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Await>
    </Panel>
  );
}

export function NftsTab({ address, version }: TabProps) {
  const ask = v3("nft/items", { owner_address: [address], include_on_sale: true, limit: 100 });
  const loaded = useAsk(ask, version);
  return (
    <Panel title="NFTs" from={[ask]} note="Items that this account owns or has put on sale.">
      <Await of={loaded}>
        {({ nft_items: items }) =>
          items.length === 0 ? <Empty>This account has no NFTs.</Empty> : <NftCards items={items} />
        }
      </Await>
    </Panel>
  );
}
