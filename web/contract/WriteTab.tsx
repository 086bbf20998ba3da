import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Ask, post, postV3, readEnvelope } from "../api/ask.ts";
import { askContract, type ContractMessage } from "../api/contract.ts";
import { about } from "../api/features.ts";
import { AskError, run } from "../api/run.ts";
import { useAsk } from "../api/useAsk.ts";
import { href } from "../browser/router.ts";
import { base64ToBytes } from "../format/bytes.ts";
import { parseCoins } from "../format/coins.ts";
import { hashInPath } from "../format/hash.ts";
import { ActionResult, type Done, Field, Sender } from "../pages/local/fields.tsx";
import { useLocalWallets } from "../pages/local/localWallets.ts";
import { friendlyOf } from "../parts/AddressLink.tsx";
import { Copy } from "../parts/Copy.tsx";
import { Await, Empty, Facts, Panel } from "../parts/Panel.tsx";
import { listMessages, transferLink } from "./messages.ts";
import { QrCode } from "./QrCode.tsx";
import { TypedFields } from "./TypedFields.tsx";
import { readTyped } from "./typedArgs.ts";

/** A form for every message that the contract accepts. */
export function WriteTab({ address }: { readonly address: string }) {
  const ask = askContract(address);
  const described = useAsk(ask);
  return (
    <Await of={described}>
      {(contract) => {
        const messages = listMessages(contract);
        return messages.length === 0 ? (
          <Panel title="Write" from={[ask]}>
            <Empty>
              No ABI of this contract has messages. <code>tongate abi add</code> gives it one.
            </Empty>
          </Panel>
        ) : (
          <Messages address={address} messages={messages} from={ask} />
        );
      }}
    </Await>
  );
}

interface MessagesProps {
  readonly address: string;
  readonly messages: readonly ContractMessage[];
  readonly from: Ask<unknown>;
}

function Messages({ address, messages, from }: MessagesProps) {
  const [chosen, setChosen] = useState(messages[0]?.name ?? "");
  const message = messages.find(({ name }) => name === chosen);
  const chips = (
    <ul class="chips" aria-label="Messages that the contract accepts">
      {messages.map(({ name }) => (
        <li key={name}>
          <button type="button" aria-pressed={name === chosen} onClick={() => setChosen(name)}>
            <bdi>{name}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
  return message === undefined ? null : (
    <MessageForm key={message.name} address={address} message={message} from={from}>
      {chips}
    </MessageForm>
  );
}

interface FormProps {
  readonly address: string;
  readonly message: ContractMessage;
  readonly from: Ask<unknown>;
  /** The choice of the message. */
  readonly children: ComponentChildren;
}

/** The fields of one message; the server makes the body of them, and on a local network signs it. */
function MessageForm({ address, message, from, children }: FormProps) {
  const [entered, setEntered] = useState<ReadonlyMap<string, string>>(new Map());
  const [amount, setAmount] = useState("0.1");
  const [made, setMade] = useState<Ask<{ readonly body: string }>>();
  const values = readTyped(message.fields, entered);
  const coins = parseCoins(amount);
  const isReady = typeof values !== "string" && coins !== undefined && coins > 0n;
  const ask = postV3("encodeContract", {
    address: friendlyOf(address),
    message: message.name,
    fields: typeof values === "string" ? {} : values,
  });
  const body = useAsk(made);
  const isCurrent = made?.body === ask.body;
  return (
    <Panel title="Write" from={[from, ask]} note={message.doc ?? "A message to the contract."}>
      {children}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) setMade(ask);
        }}
      >
        <TypedFields fields={message.fields} entered={entered} onChange={setEntered} />
        <Field label="Coins that go with it" value={amount} onChange={setAmount} placeholder="coins" />
        {typeof values === "string" && entered.size > 0 && <p class="failure">{values}</p>}
        <div class="line">
          <button type="submit" class="primary" disabled={!isReady}>
            Make the body
          </button>
        </div>
      </form>
      {isCurrent && coins !== undefined && (
        <Await of={body}>
          {({ body: boc }) => (
            <>
              {about().local && <SendForm address={address} amount={amount} body={boc} />}
              <Body address={address} coins={coins} boc={boc} />
            </>
          )}
        </Await>
      )}
    </Panel>
  );
}

interface BodyProps {
  readonly address: string;
  readonly coins: bigint;
  readonly boc: string;
}

/** The body for other programs, and a link and a code for wallets. */
function Body({ address, coins, boc }: BodyProps) {
  const hex = Array.from(base64ToBytes(boc) ?? [], (byte) => byte.toString(16).padStart(2, "0")).join("");
  const link = transferLink(friendlyOf(address), coins, boc);
  return (
    <Facts
      facts={[
        ["Body", <Long key="body" text={boc} what="body" />, "A bag of cells in base64"],
        ["In hex", <Long key="hex" text={hex} what="body in hex" />],
        [
          "For wallets",
          <>
            <a href={link}>Open in a wallet</a> <Copy text={link} what="link" />
            {!about().local && <QrCode text={link} />}
          </>,
          "A link that wallets know; the code has the same",
        ],
        boc.length < 6_000 && [
          "Cells",
          <a key="cells" href={href(`/cell?boc=${encodeURIComponent(boc)}`)}>
            Open in the cell inspector
          </a>,
        ],
      ]}
    />
  );
}

function Long({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span class="line">
      <code class="bits">{text.length > 600 ? `${text.slice(0, 600)}…` : text}</code>
      <Copy text={text} what={what} />
    </span>
  );
}

interface SendProps {
  readonly address: string;
  readonly amount: string;
  readonly body: string;
}

/** Sends the message from a funded wallet of the local network, which the server signs for. */
function SendForm({ address, amount, body }: SendProps) {
  const { wallets } = useLocalWallets();
  const list = wallets.kind === "ok" ? wallets.data : [];
  const [from, setFrom] = useState("");
  const [done, setDone] = useState<Done>({ kind: "none" });
  const sender = from === "" ? list[0]?.address : from;
  const send = async () => {
    setDone({ kind: "working" });
    const wanted = { from: sender, to: friendlyOf(address), amount: amount.trim(), body, bounce: true };
    setDone(await sendMessage(wanted));
  };
  return (
    <form
      class="send"
      onSubmit={(event) => {
        event.preventDefault();
        if (sender !== undefined && done.kind !== "working") void send();
      }}
    >
      <Sender list={list} sender={sender} onChange={setFrom} />
      <button type="submit" class="primary" disabled={sender === undefined || done.kind === "working"}>
        Send {amount.trim()} {about().coin.symbol} with it
      </button>
      <ActionResult done={done} />
    </form>
  );
}

async function sendMessage(wanted: object): Promise<Done> {
  try {
    const { boc } = await run(post("/localnet/signTransfer", wanted, readEnvelope<{ readonly boc: string }>));
    const { message_hash: hash, message_hash_norm: norm } = await run(postV3("message", { boc }));
    return {
      kind: "good",
      said: (
        <>
          It is sent. <a href={href(`/tx/${hashInPath(norm ?? hash)}`)}>See the trace</a>
        </>
      ),
    };
  } catch (error) {
    if (!(error instanceof AskError)) throw error;
    return { kind: "bad", said: error.message };
  }
}
