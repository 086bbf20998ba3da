// Messages of the transport: the content of an ADNL frame over TCP, and keys.
import { record, union } from "./record.ts";
import { bytes, int256, long } from "./types.ts";

export const publicKeyUnencrypted = record("pub.unenc data:bytes = PublicKey", { data: bytes });

export const publicKeyEd25519 = record("pub.ed25519 key:int256 = PublicKey", { key: int256 });

export const publicKeyAes = record("pub.aes key:int256 = PublicKey", { key: int256 });

export const publicKeyOverlay = record("pub.overlay name:bytes = PublicKey", { name: bytes });

/** A public key; its id is the SHA-256 of the boxed bytes. */
export const publicKey = union("PublicKey", {
  unencrypted: publicKeyUnencrypted,
  ed25519: publicKeyEd25519,
  aes: publicKeyAes,
  overlay: publicKeyOverlay,
});

export const tcpPing = record("tcp.ping random_id:long = tcp.Pong", { randomId: long });

export const tcpPong = record("tcp.pong random_id:long = tcp.Pong", { randomId: long });

export const tcpAuthentificate = record("tcp.authentificate nonce:bytes = tcp.Message", { nonce: bytes });

export const tcpAuthentificationNonce = record("tcp.authentificationNonce nonce:bytes = tcp.Message", {
  nonce: bytes,
});

export const tcpAuthentificationComplete = record(
  "tcp.authentificationComplete key:PublicKey signature:bytes = tcp.Message",
  { key: publicKey, signature: bytes },
);

export const messageQuery = record("adnl.message.query query_id:int256 query:bytes = adnl.Message", {
  queryId: int256,
  query: bytes,
});

export const messageAnswer = record("adnl.message.answer query_id:int256 answer:bytes = adnl.Message", {
  queryId: int256,
  answer: bytes,
});

/**
 * The content of a frame. It is not one type of the scheme (`tcp.ping` is a function there), but all of these are
 * boxed.
 */
export const frameContent = union("frame", {
  query: messageQuery,
  answer: messageAnswer,
  ping: tcpPing,
  pong: tcpPong,
  authentificate: tcpAuthentificate,
  authentificationNonce: tcpAuthentificationNonce,
  authentificationComplete: tcpAuthentificationComplete,
});
