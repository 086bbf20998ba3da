import { useHead } from "../api/live.ts";
import { useAsk } from "../api/useAsk.ts";
import { about } from "../app/about.ts";
import { askDemo } from "../app/localNames.ts";
import { shorten } from "../format/hash.ts";
import { AddressLink, friendlyOf } from "../parts/AddressLink.tsx";
import { Await, Empty, Panel } from "../parts/Panel.tsx";
import { Faucet, Time } from "./local/acts.tsx";
import { Connect } from "./local/Connect.tsx";
import { WalletWords } from "./local/WalletWords.tsx";

/** What only a network of this machine has: coins for anybody, time that passes when told to. */
export function Local() {
  const { seqno } = useHead();
  if (!about().local) {
    return (
      <>
        <h1>Local network</h1>
        <Empty>This server serves a real network. A local one starts with the command tongate.</Empty>
      </>
    );
  }
  return (
    <>
      <h1>Local network</h1>
      <div class="columns">
        <Faucet />
        <Time seqno={seqno} />
      </div>
      <WalletWords version={seqno} />
      <Demo />
      <Connect />
    </>
  );
}

function Demo() {
  const loaded = useAsk(askDemo);
  return (
    <Panel title="Demo contracts" from={[askDemo]} note="Made when the network was started.">
      <Await of={loaded}>
        {(contracts) =>
          contracts.length === 0 ? (
            <Empty>This network was started without them.</Empty>
          ) : (
            <ul class="cards">
              {contracts.map(({ address }) => (
                <li key={address}>
                  <AddressLink address={address.toUpperCase()} />
                  <code class="small muted">{shorten(friendlyOf(address.toUpperCase()))}</code>
                </li>
              ))}
            </ul>
          )
        }
      </Await>
    </Panel>
  );
}
