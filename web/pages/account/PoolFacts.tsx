import { v3 } from "../../api/ask.ts";
import type { V3Answer } from "../../api/types.ts";
import { useAsk } from "../../api/useAsk.ts";
import { humanize } from "../../format/names.ts";
import { formatMoment } from "../../format/time.ts";
import { AddressLink } from "../../parts/AddressLink.tsx";
import { Bars } from "../../parts/Chart.tsx";
import { Await, Empty, Facts, Panel } from "../../parts/Panel.tsx";
import { Table } from "../../parts/Table.tsx";
import { Ago, Coins, HashText } from "../../parts/values.tsx";
import { type PoolEvent, sumRewards } from "./rewards.ts";

interface Props {
  readonly address: string;
  readonly version: number;
}

const states = ["stakes are in the pool", "a stake was sent to the elector", "the elector accepted the stake"];
const maxEvents = 50;

/** A nominator pool: what it holds and for whom, what happened, and its rewards as a picture. */
export function PoolFacts({ address, version }: Props) {
  const ask = v3("staking/nominatorPools/pool", { pool: address });
  const loaded = useAsk(ask, version);
  // The code of another version of the pool is not indexed.
  if (loaded.kind === "failed") return null;
  return (
    <>
      <Panel title="Nominator pool" from={[ask]}>
        <Await of={loaded}>
          {(pool) => (
            <>
              <Facts
                facts={[
                  ["State", states[pool.state] ?? String(pool.state)],
                  ["Validator", <AddressLink key="validator" address={pool.validator_address} />],
                  ["Of the validator", <Coins key="own" value={pool.validator_amount} />],
                  ["Validator's share of rewards", `${pool.validator_reward_share / 100} %`],
                  ["Stake sent", <Coins key="sent" value={pool.stake_amount_sent} />],
                  ["Nominators", `${pool.nominators_count} of at most ${pool.max_nominators_count}`],
                  ["Least stake of a nominator", <Coins key="least" value={pool.min_nominator_stake} />],
                ]}
              />
              <Nominators pool={pool} />
            </>
          )}
        </Await>
      </Panel>
      <PoolEvents address={address} version={version} />
    </>
  );
}

function Nominators({ pool }: { readonly pool: V3Answer<"staking/nominatorPools/pool"> }) {
  if (pool.active_nominators.length === 0) return <Empty>Nobody has coins in the pool.</Empty>;
  return (
    <Table title="Nominators" columns={["Nominator", ">Balance", ">Waits for the next round"]}>
      {pool.active_nominators.map((each) => (
        <tr key={each.address}>
          <td data-label="Nominator">
            <AddressLink address={each.address} />
          </td>
          <td class="right" data-label="Balance">
            <Coins value={each.balance} />
          </td>
          <td class="right" data-label="Waits for the next round">
            <Coins value={each.pending_balance} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function PoolEvents({ address, version }: Props) {
  const ask = v3("staking/nominatorPools/nominatorEvents", { pool: address, limit: maxEvents });
  return (
    <Panel title="Deposits, withdrawals and rewards" from={[ask]} note={`The newest ${maxEvents} of nominators.`}>
      <Await of={useAsk(ask, version)}>
        {({ events }) => (
          <>
            <Rewards events={events} />
            <EventRows events={events} />
          </>
        )}
      </Await>
    </Panel>
  );
}

function Rewards({ events }: { readonly events: readonly PoolEvent[] }) {
  const rewards = sumRewards(events);
  if (rewards.length < 2) return null;
  return (
    <Bars
      label="Rewards of the nominators by round"
      values={rewards.map(({ sum }) => Math.max(0, Number(sum)))}
      names={rewards.map(({ at }) => formatMoment(at))}
    />
  );
}

function EventRows({ events }: { readonly events: readonly PoolEvent[] }) {
  if (events.length === 0) return <Empty>There are none here.</Empty>;
  return (
    <Table title="Events" columns={["Event", "Nominator", ">Amount", "Time", "Transaction"]}>
      {events.map((each) => (
        <tr key={`${each.tx_hash} ${each.nominator_address} ${each.type}`}>
          <td data-label="Event">{humanize(each.type)}</td>
          <td data-label="Nominator">
            <AddressLink address={each.nominator_address} />
          </td>
          <td class="right" data-label="Amount">
            <Coins value={each.amount} isSigned={each.type === "reward"} />
          </td>
          <td data-label="Time">
            <Ago at={each.utime} />
          </td>
          <td data-label="Transaction">
            <HashText hash={each.tx_hash} to="tx" />
          </td>
        </tr>
      ))}
    </Table>
  );
}
