/** A recorded session, described in `realnet/README.md` of the corpus. */
export interface AdnlSession {
  readonly server: { readonly public_key_base64: string };
  readonly client: {
    readonly ed25519_seed_hex: string;
    readonly ed25519_public_key_hex: string;
    readonly session_parameters_hex: string;
    readonly shared_secret_hex: string;
  };
  readonly handshake_hex: string;
  readonly client_stream_after_handshake_hex: string;
  readonly server_stream_hex: string;
  readonly server_tcp_chunk_sizes: readonly number[];
  readonly packets: readonly AdnlPacket[];
}

export interface AdnlPacket {
  readonly from: "client" | "server";
  readonly nonce: string;
  readonly payload: string;
  readonly encrypted: string;
}
