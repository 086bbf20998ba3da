import { useState } from "preact/hooks";
import { type Ask, post, postV3, readEnvelope } from "../../api/ask.ts";
import { AskError, run } from "../../api/run.ts";
import type { V3Answer } from "../../api/types.ts";
import { href, navigate } from "../../browser/router.ts";
import { parseCoins } from "../../format/coins.ts";
import { hashInPath } from "../../format/hash.ts";
import { Panel } from "../../parts/Panel.tsx";
import { ActionResult, type Done, Field, Sender } from "./fields.tsx";
import { useLocalWallets } from "./localWallets.ts";
import { ReceiverNote, useReceiver } from "./receiver.tsx";

interface Signed {
  readonly boc: string;
}

/** Sends coins from one of the funded wallets, which the server signs for. */
export function Transfer() {
  const { wallets } = useLocalWallets();
  const list = wallets.kind === "ok" ? wallets.data : [];
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const [amount, setAmount] = useState("1");
  const [comment, setComment] = useState("");
  const [done, setDone] = useState<Done>({ kind: "none" });
  const [sent, setSent] = useState<Ask<unknown>>();
  const coins = parseCoins(amount);
  const receiver = useReceiver(to);
  const sender = from === "" ? list[0]?.address : from;
  const isReady = sender !== undefined && receiver.kind === "address" && coins !== undefined && coins > 0n;
  const said = comment.trim() === "" ? {} : { comment: comment.trim() };
  const ask = post(
    "/localnet/signTransfer",
    { from: sender, to: receiver.kind === "address" ? receiver.address : to.trim(), amount: amount.trim(), ...said },
    readEnvelope<Signed>,
  );
  const sign = async (act: (boc: string) => Promise<Done>) => {
    setDone({ kind: "working" });
    setDone(await signed(ask, act));
  };
  const send = () =>
    sign((boc) => {
      const sending = postV3("message", { boc });
      setSent(sending);
      return sendSigned(sending);
    });
  const emulate = () =>
    sign(async (boc) => {
      navigate(`/emulate?boc=${encodeURIComponent(boc)}`);
      return { kind: "none" };
    });
  return (
    <Panel title="Transfer" from={[ask, sent]} note="From a funded wallet; the server signs.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void send();
        }}
      >
        <Sender list={list} sender={sender} onChange={setFrom} />
        <Field label="To" value={to} onChange={setTo} placeholder="UQ… or a domain" />
        <ReceiverNote receiver={receiver} />
        <Field label="Amount" value={amount} onChange={setAmount} placeholder="coins" />
        <Field label="Comment" value={comment} onChange={setComment} placeholder="none" />
        <div class="line">
          <button type="submit" class="primary" disabled={!isReady || done.kind === "working"}>
            Send
          </button>
          <button type="button" disabled={!isReady || done.kind === "working"} onClick={() => void emulate()}>
            Emulate first
          </button>
        </div>
      </form>
      <ActionResult done={done} />
    </Panel>
  );
}

/** Lets the server sign the transfer, then acts on the signed message. */
async function signed(ask: Ask<Signed>, act: (boc: string) => Promise<Done>): Promise<Done> {
  try {
    return await act((await run(ask)).boc);
  } catch (error) {
    if (!(error instanceof AskError)) throw error;
    return { kind: "bad", said: error.message };
  }
}

async function sendSigned(sending: Ask<V3Answer<"message">>): Promise<Done> {
  const { message_hash: hash, message_hash_norm: norm } = await run(sending);
  return {
    kind: "good",
    said: (
      <>
        It is sent. <a href={href(`/tx/${hashInPath(norm ?? hash)}`)}>See the transaction</a>
      </>
    ),
  };
}
