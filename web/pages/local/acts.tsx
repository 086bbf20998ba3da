import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Ask, get, post, readEnvelope } from "../../api/ask.ts";
import { about } from "../../api/features.ts";
import { AskError, run } from "../../api/run.ts";
import { useAsk } from "../../api/useAsk.ts";
import { href } from "../../browser/router.ts";
import { parseCoins } from "../../format/coins.ts";
import { hashInPath } from "../../format/hash.ts";
import { formatSpan } from "../../format/time.ts";
import { Panel } from "../../parts/Panel.tsx";
import { Moment } from "../../parts/values.tsx";
import { ActionResult, type Done, Field } from "./fields.tsx";
import { ReceiverNote, useReceiver } from "./receiver.tsx";

/** Runs a request that changes the network, and keeps its result. */
export function useAct(): [Done, (ask: Ask<unknown>, tell: (answer: unknown) => ComponentChildren) => void] {
  const [done, setDone] = useState<Done>({ kind: "none" });
  const act = (ask: Ask<unknown>, tell: (answer: unknown) => ComponentChildren) => {
    setDone({ kind: "working" });
    run(ask).then(
      (answer) => setDone({ kind: "good", said: tell(answer) }),
      (error: unknown) => setDone({ kind: "bad", said: error instanceof AskError ? error.message : String(error) }),
    );
  };
  return [done, act];
}

interface Gift {
  readonly amount: string;
  readonly message_hash: string;
  readonly mc_seqno: number | null;
}

/** Sends coins to any address. */
export function Faucet() {
  const [address, setAddress] = useState("");
  const [amount, setAmount] = useState("100");
  const [done, act] = useAct();
  const nanocoins = parseCoins(amount);
  const receiver = useReceiver(address);
  const isReady = receiver.kind === "address" && nanocoins !== undefined && nanocoins > 0n;
  const to = receiver.kind === "address" ? receiver.address : address.trim();
  const ask = post("/localnet/faucet", { address: to, amount: amount.trim() }, readEnvelope<Gift>);
  return (
    <Panel title="Faucet" from={[ask]} note="Gives coins to any address.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) act(ask, (answer) => <GiftResult gift={answer as Gift} />);
        }}
      >
        <Field label="Address" value={address} onChange={setAddress} placeholder="UQ… or a domain" />
        <ReceiverNote receiver={receiver} />
        <label class="field">
          Coins
          <input value={amount} inputMode="decimal" onInput={({ currentTarget }) => setAmount(currentTarget.value)} />
        </label>
        <button type="submit" class="primary" disabled={!isReady || done.kind === "working"}>
          Give
        </button>
      </form>
      <ActionResult done={done} />
    </Panel>
  );
}

function GiftResult({ gift }: { readonly gift: Gift }) {
  return (
    <>
      {gift.amount} {about().coin.symbol}{" "}
      {gift.mc_seqno === null ? "are under way" : `were sent in block ${gift.mc_seqno}`}.{" "}
      <a href={href(`/tx/${hashInPath(gift.message_hash)}`)}>See the transaction</a>
    </>
  );
}

const spans: readonly (readonly [seconds: number, name: string])[] = [
  [60, "a minute"],
  [3_600, "an hour"],
  [86_400, "a day"],
  [2_592_000, "30 days"],
];

interface ChainTime {
  readonly now: number;
  readonly ahead: number;
}

const askTime = get("/localnet/time", undefined, readEnvelope<ChainTime>);

/** Makes a block at once. */
export function BlockNow({ seqno }: { readonly seqno: number }) {
  const [done, act] = useAct();
  const ask = post("/localnet/block", {}, readEnvelope<{ readonly mc_seqno: number }>);
  const make = () =>
    act(ask, (answer) => `Masterchain block ${(answer as { readonly mc_seqno: number }).mc_seqno} is made.`);
  return (
    <Panel title="Blocks" from={[ask]} note="Blocks come at the pace of --block-ms, or when you ask for one.">
      <p>Newest masterchain block: {seqno}</p>
      <button type="button" disabled={done.kind === "working"} onClick={make}>
        Make a block now
      </button>
      <ActionResult done={done} />
    </Panel>
  );
}

/** Moves the clock of the chain forward. */
export function Time({ seqno }: { readonly seqno: number }) {
  const loaded = useAsk(askTime, seqno);
  const [done, act] = useAct();
  const [seconds, setSeconds] = useState("");
  const { now: at, ahead } = loaded.kind === "ok" ? loaded.data : { now: undefined, ahead: 0 };
  const pass = (count: number) =>
    act(post("/localnet/advance", { seconds: count }, readEnvelope<{ readonly now: number }>), (answer) => (
      <>
        The chain's time is now <Moment at={(answer as { readonly now: number }).now} />.
      </>
    ));
  const own = Number(seconds);
  const isOwn = Number.isInteger(own) && own > 0;
  return (
    <Panel title="Time" from={[askTime]} note="For time locks, vesting and auctions.">
      <p>
        Time of the chain: {at === undefined ? "…" : <Moment at={at} />}
        {ahead > 5 && (
          <strong class="why">
            {" "}
            It is {formatSpan(ahead)} ahead of your clock: messages that expire by your clock are refused. A snapshot
            made before, or a new chain, goes back.
          </strong>
        )}
      </p>
      <div class="line">
        {spans.map(([count, name]) => (
          <button type="button" key={name} disabled={done.kind === "working"} onClick={() => pass(count)}>
            Let {name} pass
          </button>
        ))}
      </div>
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          if (isOwn) pass(own);
        }}
      >
        <input
          value={seconds}
          inputMode="numeric"
          aria-label="Seconds to advance"
          placeholder="seconds"
          onInput={({ currentTarget }) => setSeconds(currentTarget.value)}
        />
        <button type="submit" disabled={!isOwn || done.kind === "working"}>
          Let them pass
        </button>
      </form>
      <ActionResult done={done} />
    </Panel>
  );
}
