import { useEffect, useState } from "preact/hooks";
import { about } from "../api/features.ts";
import { useHead } from "../api/live.ts";
import { askDemo } from "../api/localNames.ts";
import { useAsk } from "../api/useAsk.ts";
import { shorten } from "../format/hash.ts";
import { AddressLink, friendlyOf } from "../parts/AddressLink.tsx";
import { Await, Empty, Panel } from "../parts/Panel.tsx";
import { BlockNow, Faucet, Time } from "./local/acts.tsx";
import { Connect } from "./local/Connect.tsx";
import { Controls } from "./local/Controls.tsx";
import { Fork } from "./local/Fork.tsx";
import { Snapshots } from "./local/Snapshots.tsx";
import { Transfer } from "./local/Transfer.tsx";
import { WalletWords } from "./local/WalletWords.tsx";

/** Controls that only a local network has: a faucet and a clock. */
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
        <div>
          <Faucet />
          <Time seqno={seqno} />
          <BlockNow seqno={seqno} />
          <Fork seqno={seqno} />
        </div>
        <div>
          <Transfer />
          <Snapshots />
          <Controls />
        </div>
      </div>
      <WalletWords version={seqno} />
      <Demo seqno={seqno} />
      <Connect />
    </>
  );
}

function Demo({ seqno }: { readonly seqno: number }) {
  // The demo set is created during the first minute, so an empty list may fill later.
  const [count, setCount] = useState(0);
  const loaded = useAsk(askDemo, count === 0 ? seqno : 0);
  const found = loaded.kind === "ok" ? loaded.data.length : 0;
  useEffect(() => setCount(found), [found]);
  return (
    <Panel title="Demo contracts" from={[askDemo]} note="Made when the network was started.">
      <Await of={loaded}>
        {(contracts) =>
          contracts.length === 0 ? (
            <Empty>There are none: this network was started without them, or they are being made.</Empty>
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
