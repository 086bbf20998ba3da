import { useState } from "preact/hooks";
import { v3 } from "../../api/ask.ts";
import { useHead } from "../../api/live.ts";
import type { V3Answer } from "../../api/types.ts";
import { useAsk } from "../../api/useAsk.ts";
import { formatCount } from "../../format/coins.ts";
import { humanize } from "../../format/names.ts";
import { AddressLink } from "../../parts/AddressLink.tsx";
import { Pager } from "../../parts/Pager.tsx";
import { Await, Empty, Panel } from "../../parts/Panel.tsx";
import { ShareBar } from "../../parts/ShareBar.tsx";
import { Ago, Coins, HashText, Moment } from "../../parts/values.tsx";
import { Paged, Rows, size } from "./Paged.tsx";

type Cycle = V3Answer<"validators/cycles">["cycles"][number];

/** The validators of now, and what led to them: elections, stakes, former sets, complaints. */
export function Validators() {
  return (
    <>
      <CurrentSet />
      <Elections />
      <Cycles />
      <StakeEvents />
      <Complaints />
    </>
  );
}

/** The newest set that has begun by the chain's time, which may be ahead; the next one may be known before. */
function findCurrent(cycles: readonly Cycle[], now: number): Cycle | undefined {
  return cycles.find(({ cycle_start: start }) => start <= now) ?? cycles.at(-1);
}

function CurrentSet() {
  const { at } = useHead();
  const ask = v3("validators/cycles", { limit: 3, return_validators: true });
  return (
    <Panel title="Validators" from={[ask]} note="Of the current round.">
      <Await of={useAsk(ask)}>
        {({ cycles }) => {
          const cycle = findCurrent(cycles, at || Date.now() / 1000);
          return cycle === undefined ? <Empty>The index has no validator set yet.</Empty> : <Members cycle={cycle} />;
        }}
      </Await>
    </Panel>
  );
}

function Members({ cycle }: { readonly cycle: Cycle }) {
  const [offset, setOffset] = useState(0);
  const { validators = [], main, cycle_start: since, cycle_end: until, total_weight: weight } = cycle;
  const shown = validators.slice(offset, offset + size);
  return (
    <>
      <p>
        {formatCount(validators.length)} validators, {formatCount(main)} of them for the masterchain, from{" "}
        <Moment at={since} />
        {until < 0xffffffff && (
          <>
            {" "}
            until <Moment at={until} />
          </>
        )}
        .
      </p>
      <Rows
        title="Validators"
        columns={["#", "Public key", "ADNL address", "Stake holder", ">Stake", "Weight"]}
        rows={shown.map((each) => [
          each.validator_pubkey,
          each.validator_index + 1,
          <HashText key="key" hash={each.validator_pubkey.toLowerCase()} />,
          <HashText key="adnl" hash={each.adnl_addr.toLowerCase()} />,
          <AddressLink key="holder" address={each.stake_holder_address} />,
          <Coins key="stake" value={each.stake} />,
          <ShareBar key="weight" part={BigInt(each.weight)} whole={BigInt(weight)} />,
        ])}
      />
      <Pager offset={offset} size={size} count={shown.length} onMove={setOffset} />
    </>
  );
}

function Elections() {
  const { seqno } = useHead();
  return (
    <Paged
      title="Elections"
      columns={["Election", "Ends", ">Participants", ">Total stake", ">Least stake", "State"]}
      version={seqno}
      askAt={(page) => v3("validators/elections", page)}
      rowsOf={({ elections }) =>
        elections.map((each) => [
          String(each.election_id),
          each.election_id,
          <Moment key="end" at={each.elect_close} />,
          formatCount(each.total_participants),
          <Coins key="total" value={each.total_stake} />,
          <Coins key="least" value={each.min_stake} />,
          each.failed ? "failed" : each.finished ? "finished" : "open",
        ])
      }
    />
  );
}

function Cycles() {
  return (
    <Paged
      title="Validator sets"
      columns={["From", "Until", ">Validators", ">Total stake", ">Smallest stake", ">Largest stake"]}
      askAt={(page) => v3("validators/cycles", page)}
      rowsOf={({ cycles }) =>
        cycles.map((each) => [
          String(each.cycle_start),
          <Moment key="from" at={each.cycle_start} />,
          <Moment key="until" at={each.cycle_end} />,
          formatCount(each.total),
          <Coins key="total" value={each.total_stake} />,
          <Coins key="least" value={each.min_stake} />,
          <Coins key="most" value={each.max_stake} />,
        ])
      }
    />
  );
}

function StakeEvents() {
  return (
    <Paged
      title="Stakes"
      columns={["Event", "Time", "Stake holder", ">Amount", "Transaction"]}
      askAt={(page) => v3("validators/events", page)}
      rowsOf={({ events }) =>
        events.map((each) => [
          each.tx_hash,
          humanize(each.type),
          <Ago key="time" at={each.utime} />,
          <AddressLink key="holder" address={each.stake_holder_address} />,
          <Coins key="amount" value={each.amount} />,
          <HashText key="hash" hash={each.tx_hash} to="tx" />,
        ])
      }
    />
  );
}

function Complaints() {
  return (
    <Paged
      title="Complaints"
      columns={["Validator", "By", "Made", ">Fine", ">Approved", "State"]}
      askAt={(page) => v3("validators/complaints", page)}
      rowsOf={({ complaints }) =>
        complaints.map((each) => [
          each.complaint_hash,
          <HashText key="key" hash={each.validator_pubkey.toLowerCase()} />,
          <AddressLink key="by" address={each.reward_address} />,
          <Ago key="time" at={each.created_at} />,
          <Coins key="fine" value={each.suggested_fine} />,
          `${each.approved_percent} %`,
          each.is_passed ? "passed" : "open",
        ])
      }
    />
  );
}
