import { useState } from "preact/hooks";
import { v3 } from "../../api/ask.ts";
import { useAsk } from "../../api/useAsk.ts";
import { humanize } from "../../format/names.ts";
import { AddressLink } from "../../parts/AddressLink.tsx";
import { Copy } from "../../parts/Copy.tsx";
import { Await, Facts, Panel } from "../../parts/Panel.tsx";
import { Coins } from "../../parts/values.tsx";
import { type LocalWallet, useLocalWallets } from "./localWallets.ts";

/** The funded wallets with their mnemonics, which are worthless elsewhere. */
export function WalletWords({ version }: { readonly version: number }) {
  const { ask: askWallets, wallets } = useLocalWallets();
  const addresses = wallets.kind === "ok" ? wallets.data.map(({ address }) => address) : [];
  const ask = addresses.length === 0 ? undefined : v3("walletStates", { address: addresses });
  const states = useAsk(ask, version);
  const balanceOf = (address: string) =>
    states.kind === "ok" ? states.data.wallets.find((each) => each.address === address)?.balance : undefined;
  if (askWallets === undefined) return null;
  return (
    <Panel
      title="Wallets"
      from={[askWallets, ask]}
      note="Keys derived from a public seed: never use them on a real network."
    >
      <Await of={wallets}>
        {(list) =>
          list.map((wallet) => <OneWallet key={wallet.address} wallet={wallet} balance={balanceOf(wallet.address)} />)
        }
      </Await>
    </Panel>
  );
}

function OneWallet({ wallet, balance }: { readonly wallet: LocalWallet; readonly balance: string | undefined }) {
  const [isShown, setShown] = useState(false);
  return (
    <div class="wallet">
      <span class="line">
        <AddressLink address={wallet.address} isFull />
        <span class="muted">{wallet.version}</span>
        <Coins value={balance} />
        <button type="button" class="quiet" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? "Hide the words" : "Show the words"}
        </button>
      </span>
      {isShown && (
        <>
          <p class="line">
            <code>{wallet.words}</code>
            <Copy text={wallet.words} what="words" />
          </p>
          <Facts
            facts={wallet.facts.map(([name, value]) => [humanize(name), <code key={name}>{value}</code>] as const)}
          />
        </>
      )}
    </div>
  );
}
