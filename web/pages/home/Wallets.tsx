import { v3 } from "../../api/ask.ts";
import { useAsk } from "../../api/useAsk.ts";
import { AddressLink } from "../../parts/AddressLink.tsx";
import { Await, Empty, Panel } from "../../parts/Panel.tsx";
import { Coins } from "../../parts/values.tsx";
import { useLocalWallets } from "../local/localWallets.ts";

/** The funded wallets of the local network with their balances. */
export function Wallets({ version }: { readonly version: number }) {
  const { ask: askWallets, wallets } = useLocalWallets();
  const addresses = wallets.kind === "ok" ? wallets.data.map(({ address }) => address) : [];
  const ask = addresses.length === 0 ? undefined : v3("walletStates", { address: addresses });
  const states = useAsk(ask, version);
  if (askWallets === undefined) return null;
  return (
    <Panel
      title="Wallets of this network"
      from={[askWallets, ask]}
      note={<a href="/explorer/local">Words and faucet</a>}
    >
      <Await of={wallets}>
        {(list) =>
          list.length === 0 ? (
            <Empty>This network has no funded wallets.</Empty>
          ) : (
            <ul class="cards">
              {list.map(({ address, version: kind }) => {
                const state =
                  states.kind === "ok" ? states.data.wallets.find((each) => each.address === address) : undefined;
                return (
                  <li key={address}>
                    <span class="caption">{kind}</span>
                    <AddressLink address={address} />
                    <Coins value={state?.balance} isBrief />
                  </li>
                );
              })}
            </ul>
          )
        }
      </Await>
    </Panel>
  );
}
