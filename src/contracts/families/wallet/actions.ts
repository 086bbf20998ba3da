import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import { kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, cellOf, destinationOf, isAborted } from "../../engine/messageParts.ts";
import { type CallNode, isCall } from "../../engine/nodes.ts";
import { call, where } from "../../engine/pattern.ts";
import type { TraceNode } from "../../engine/TraceNode.ts";
import { telegramRequests } from "../../engine/telegramRequests.ts";
import { group, quietBody } from "../../kit/declare.ts";
import { bits, bits256, bits512, ref } from "../../kit/fields.ts";
import { telegramWallet } from "./interfaces.ts";

interface KeyChange {
  /** Absent where the owner sent the request. */
  readonly source: Address | undefined;
  readonly wallet: Address;
  readonly value: bigint | undefined;
  readonly newKey: string;
  readonly signature: string;
  readonly encryptedOldKey: string;
}

export const changeWalletKey = kind<KeyChange>({
  type: "change_wallet_key",
  parties: (c) => ({ source: c.source, destination: c.wallet }),
  details: (f) => ({
    source: f.address("Address of the relayer; null where the owner sent the request.", (c) => c.source),
    destination: f.address("Address of the wallet.", (c) => c.wallet),
    value: f.amount("Coins that the message carries, in nanocoins; null without a relayer.", (c) => c.value),
    new_public_key: f.text("New public key, in hex.", (c) => c.newKey),
    rotation_signature: f.text("Signature of the wallet's address with the new key, in hex.", (c) => c.signature),
    encrypted_old_private_key: f.text("Old private key, encrypted for the owner, in hex.", (c) => c.encryptedOldKey),
  }),
});

// signature:bits512 op:uint32 subwallet_id:uint32 valid_until:uint32 seqno:uint32
const requestHead = bits(512 + 128);
const keyRequest = group({
  head: requestHead,
  newKey: bits256,
  signature: ref(bits512),
  encryptedOldKey: ref(bits256),
});

/** Written by the wallet when the key has changed: a request with a bad signature ends well and changes nothing. */
const keyChanged = quietBody("tg_wallet_key_changed", 0xeba19948, { encryptedOldKey: bits256 });
const keyChangedBits = 32 + 256;

function isKeyChanged(node: TraceNode): node is CallNode {
  return isCall(node) && node.data.opcode === keyChanged.opcode && node.data.destination === undefined;
}

const { external, internal } = telegramRequests.changeKey;
const log = where(isKeyChanged);
const requested = call([external, internal], { child: log });

export const changeWalletKeyMatcher = matcher({
  name: "change_wallet_key",
  pattern: requested,
  build: (match, facts) => {
    const [node, written] = [match.get(requested), match.get(log)];
    const { opcode, source, value } = node.data;
    if (opcode !== (source === undefined ? external : internal) || isAborted(node)) return undefined;
    // Of several logs, the first counts.
    if (cellOf(written).bitLength !== keyChangedBits) return undefined;
    const wallet = destinationOf(node);
    const code = facts.findCodeHash(wallet);
    if (code === undefined || !telegramWallet.codes.includes(code)) return undefined;
    const { newKey, signature } = keyRequest.load(sliceOf(cellOf(node)));
    const { encryptedOldKey } = bodyOf(written, keyChanged);
    return made(changeWalletKey, { source, wallet, value, newKey, signature, encryptedOldKey });
  },
});
