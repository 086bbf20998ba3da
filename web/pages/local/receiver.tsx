import { v3 } from "../../api/ask.ts";
import { useAsk } from "../../api/useAsk.ts";
import { isDomain } from "../../format/domain.ts";
import { type Receiver, readReceiver } from "./readReceiver.ts";

/** The receiver that a text means; domains are resolved. */
export function useReceiver(text: string): Receiver {
  const domain = text.trim().toLowerCase();
  const answer = useAsk(isDomain(domain) ? v3("dns/records", { domain, limit: 1 }) : undefined);
  return readReceiver(text, answer);
}

/** Says under a field what its text means, or why a form cannot be sent. */
export function ReceiverNote({ receiver }: { readonly receiver: Receiver }) {
  if (receiver.kind === "nobody") {
    return (
      <p class="small why" role="status">
        {receiver.reason}
      </p>
    );
  }
  return receiver.kind === "address" && receiver.domain !== undefined ? (
    <p class="small" role="status">
      {receiver.domain} is <code>{receiver.address}</code>
    </p>
  ) : null;
}
