import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson } from "../../../kit/suite/corpus.ts";
import { fromHex, toHex } from "../../../src/lib/bytes.ts";
import { clientSession, serverSession } from "../../../src/lite/adnl/cipher.ts";
import { decodeFrame, encodeFrame } from "../../../src/lite/adnl/frames.ts";
import { acceptHandshake, makeHandshake } from "../../../src/lite/adnl/handshake.ts";
import { makeAdnlKey } from "../../../src/lite/adnl/keys.ts";
import { frameContent } from "../../../src/lite/tl/adnlRecords.ts";
import { masterchainInfo } from "../../../src/lite/tl/liteRecords.ts";
import { decode } from "../../../src/lite/tl/types.ts";
import type { AdnlSession } from "../../kit/lite/adnlSession.ts";
import { checkSessionBytes, checkSessionOverSocket } from "../../kit/lite/checkSession.ts";
import { tlToJson } from "../../kit/lite/tlJson.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

interface Packet {
  readonly what: string;
  readonly plain_packet: string;
  readonly encrypted: string;
}

interface Vectors {
  readonly handshake: Readonly<Record<string, string>>;
  readonly client_to_server: readonly Packet[];
  readonly server_to_client: readonly Packet[];
  readonly recorded_plain_packets: readonly {
    readonly packet: string;
    readonly checksum_ok: boolean;
    readonly expected?: Readonly<Record<string, unknown>>;
  }[];
}

describeCorpusPart("recorded ADNL sessions", "*/lite/adnl-session.json", (folder) => {
  const files = listFiles(folder, ".", "adnl-session.json");

  it.each(files)("%s is reproduced byte for byte", async (path) => {
    const session = readJson(folder, path) as AdnlSession;
    checkSessionBytes(session);
    await checkSessionOverSocket(session);
  });
});

describeCorpusPart("ADNL vectors", "protocol/adnl-tcp.json", (folder) => {
  const vectors = readJson(folder, "protocol/adnl-tcp.json") as Vectors;
  const hex = (name: string) => fromHex(vectors.handshake[name] ?? "none");
  const client = makeAdnlKey(hex("client_ed25519_seed"));
  const server = makeAdnlKey(hex("server_ed25519_seed"));
  const parameters = hex("session_params_160");

  it("have the keys and their shared secret", () => {
    expect(client.publicKey).toEqual(hex("client_public_key"));
    expect(server.publicKey).toEqual(hex("server_public_key"));
    expect(toHex(client.id)).toBe(vectors.handshake.client_key_id);
    expect(toHex(server.id)).toBe(vectors.handshake.server_key_id);
    expect(toHex(client.agree(server.publicKey))).toBe(vectors.handshake.x25519_shared_secret);
    expect(toHex(server.agree(client.publicKey))).toBe(vectors.handshake.x25519_shared_secret);
  });

  it("have the handshake, made and accepted", () => {
    const packet = hex("handshake_packet_256");
    expect(makeHandshake(client, server.publicKey, parameters)).toEqual(packet);
    const accepted = acceptHandshake(packet, [client, server]);
    expect(accepted.key).toBe(server);
    expect(accepted.clientPublicKey).toEqual(client.publicKey);
    expect(toHex(accepted.parameters)).toBe(toHex(parameters));
  });

  it("have the packets in both directions", () => {
    const ours = clientSession(parameters);
    const theirs = serverSession(parameters);
    for (const { plain_packet, encrypted } of vectors.client_to_server) {
      checkPacket(plain_packet);
      expect(toHex(ours.encrypt(fromHex(plain_packet)))).toBe(encrypted);
      expect(toHex(theirs.decrypt(fromHex(encrypted)))).toBe(plain_packet);
    }
    for (const { plain_packet, encrypted } of vectors.server_to_client) {
      checkPacket(plain_packet);
      expect(toHex(theirs.encrypt(fromHex(plain_packet)))).toBe(encrypted);
      expect(toHex(ours.decrypt(fromHex(encrypted)))).toBe(plain_packet);
    }
  });

  it.each(vectors.recorded_plain_packets)(
    "detect whether the checksum of a packet is right ($checksum_ok)",
    (recorded) => {
      const packet = fromHex(recorded.packet);
      if (recorded.checksum_ok) checkPacket(recorded.packet);
      else expect(refusalCode(() => decodeFrame(packet.subarray(4)))).toBe("lite/frame");
      const content = decode(frameContent, packet.subarray(36, -32));
      if (content.kind === "answer") {
        const info = decode(masterchainInfo.boxed, content.answer);
        expect(tlToJson(masterchainInfo, info)).toMatchObject(recorded.expected ?? {});
      }
    },
  );

  function checkPacket(plain: string): void {
    const packet = fromHex(plain);
    const payload = decodeFrame(packet.subarray(4));
    expect(toHex(encodeFrame(payload, packet.subarray(4, 36)))).toBe(plain);
  }
});
