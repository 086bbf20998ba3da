import type { Message } from "../../api/types.ts";
import { href } from "../../browser/router.ts";
import { AddressLink } from "../../parts/AddressLink.tsx";
import { Decoded } from "../../parts/Decoded.tsx";
import { findDecoded, isReturned, nameOperation } from "../../parts/message.ts";
import { Empty, Facts, Panel } from "../../parts/Panel.tsx";
import { Badge, Coins, HashText } from "../../parts/values.tsx";
import type { TransactionPanel } from "./TransactionPanel.ts";

/** Incoming and outgoing messages, decoded and raw. */
export function Messages({ transaction, from }: TransactionPanel) {
  const { in_msg: incoming, out_msgs: outgoing } = transaction;
  return (
    <Panel title="Messages" from={[from]}>
      <h3>Received</h3>
      {incoming === null ? (
        <Empty>None: the network itself ran the contract.</Empty>
      ) : (
        <OneMessage message={incoming} />
      )}
      <h3>Sent</h3>
      {outgoing.length === 0 ? (
        <Empty>None.</Empty>
      ) : (
        outgoing.map((message) => <OneMessage key={message.hash} message={message} />)
      )}
    </Panel>
  );
}

function OneMessage({ message }: { readonly message: Message }) {
  const { message_content: content, init_state: init } = message;
  const decoded = findDecoded(message);
  return (
    <details class="message" open={message.source === null || decoded !== undefined}>
      <summary>
        <strong>{nameOperation(message)}</strong> {isReturned(message) && <Badge tone="warn">bounced</Badge>}
      </summary>
      <Facts
        facts={[
          [
            "From",
            message.source === null ? (
              "outside of the chain"
            ) : (
              <AddressLink key="from" address={message.source} isFull />
            ),
          ],
          [
            "To",
            message.destination === null ? (
              "outside of the chain (a log)"
            ) : (
              <AddressLink key="to" address={message.destination} isFull />
            ),
          ],
          message.value !== null && ["Value", <Coins key="value" value={message.value} />],
          message.opcode !== null && [
            "Operation",
            <code key="op">{message.opcode}</code>,
            "The first 32 bits of the body",
          ],
          message.fwd_fee !== null && ["Forward fee", <Coins key="fee" value={message.fwd_fee} />],
          message.import_fee !== null && ["Import fee", <Coins key="import" value={message.import_fee} />],
          message.bounce !== null && ["Bounces", message.bounce ? "yes: coins come back after a failure" : "no"],
          ["Hash", <HashText key="hash" hash={message.hash} isFull />],
          message.hash_norm !== undefined && [
            "Normalized hash",
            <HashText key="norm" hash={message.hash_norm} isFull />,
            "The hash by which wallets find an external message",
          ],
          decoded !== undefined && ["Body", <Decoded key="body" value={decoded} />],
          content !== null && ["Raw body", <RawBag key="raw" boc={content.body} />],
          init !== null && [
            "Code and data",
            <RawBag key="init" boc={init.body} />,
            "The state that a new contract starts with",
          ],
        ]}
      />
    </details>
  );
}

function RawBag({ boc }: { readonly boc: string }) {
  return boc.length > 6_000 ? (
    <span class="muted">{boc.length} characters of base64</span>
  ) : (
    <a href={href(`/cell?boc=${encodeURIComponent(boc)}`)}>Open in the cell inspector</a>
  );
}
