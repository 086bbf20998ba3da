import { useState } from "preact/hooks";
import { askHolders } from "../api/contract.ts";
import { useAsk } from "../api/useAsk.ts";
import { formatCount } from "../format/coins.ts";
import { AddressLink } from "../parts/AddressLink.tsx";
import { Await, Empty, Panel } from "../parts/Panel.tsx";

/** Other accounts with the same code, a page at a time. */
export function Holders({ address }: { readonly address: string }) {
  const [after, setAfter] = useState<string>();
  const ask = askHolders(address, after);
  const loaded = useAsk(ask);
  return (
    <Panel
      title="Who else has this code"
      from={[ask]}
      note="In the order of their addresses, as far as they are indexed."
    >
      <Await of={loaded}>
        {({ same_code: found }) => {
          const { accounts, next } = found ?? { accounts: [], next: null };
          const count = accounts.length === 1 ? "1 account" : `${formatCount(accounts.length)} accounts`;
          return (
            <>
              {accounts.length === 0 ? <Empty>Nobody.</Empty> : <p>{next === null ? count : `${count}, and more`}:</p>}
              <ul class="plain">
                {accounts.map((holder) => (
                  <li key={holder}>
                    <AddressLink address={holder} />
                  </li>
                ))}
              </ul>
              {next !== null && (
                <button type="button" onClick={() => setAfter(next)}>
                  Those that follow
                </button>
              )}
            </>
          );
        }}
      </Await>
      {after !== undefined && (
        <button type="button" onClick={() => setAfter(undefined)}>
          From the beginning
        </button>
      )}
    </Panel>
  );
}
