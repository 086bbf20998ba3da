import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { concatBytes, fromHex, toHex } from "../../../src/lib/bytes.ts";
import type { Random } from "../../../src/lib/random.ts";
import { AdnlServer } from "../../../src/lite/adnl/AdnlServer.ts";
import { clientSession } from "../../../src/lite/adnl/cipher.ts";
import { AdnlFrameReader, FrameWriter, maxPayloadBytes } from "../../../src/lite/adnl/frames.ts";
import { frameContent } from "../../../src/lite/tl/adnlRecords.ts";
import { decode } from "../../../src/lite/tl/types.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

/** Packets of a session between the C++ tonlib and our lite server, in order. */
interface TonlibSession {
  readonly server_seed_hex: string;
  readonly handshake_hex: string;
  readonly session_parameters_hex: string;
  readonly packets: readonly { readonly from: "client" | "server"; readonly nonce: string; readonly payload: string }[];
}

const session = JSON.parse(
  gunzipSync(readFileSync("test/fixtures/lite/tonlib-session.json.gz")).toString("utf8"),
) as TonlibSession;

it("accepts the authentication of the C++ tonlib and answers as in the recorded session", async () => {
  const recorded = session.packets.map(({ from, payload }) => ({ from, payload: fromHex(payload) }));
  const contents = recorded.flatMap(({ payload }) => (payload.length === 0 ? [] : [decode(frameContent, payload)]));
  const answers = contents.flatMap((content) => (content.kind === "answer" ? [content.answer] : []));
  const shown = contents.flatMap((content) => (content.kind === "authentificationComplete" ? [content.key] : []));
  const asked: { readonly query: string; readonly key: Uint8Array | undefined }[] = [];
  const problems: unknown[] = [];
  const server = await AdnlServer.open(
    { host: "127.0.0.1", port: 0, seeds: [fromHex(session.server_seed_hex)] },
    {
      clock: new ManualClock(),
      random: recordedRandom(),
      handler: async (query, { shownKey }) => {
        asked.push({ query: toHex(query), key: shownKey });
        return answers[asked.length - 1];
      },
      onProblem: (problem) => problems.push(problem),
    },
  );
  expect(await replayClient(server.port)).toEqual(session.packets.filter(({ from }) => from === "server").map(hexOf));
  await server.close();
  expect(problems).toEqual([]);
  expect(shown).toMatchObject([{ kind: "ed25519" }]);
  const queries = contents.flatMap((content) => (content.kind === "query" ? [toHex(content.query)] : []));
  const key = shown.flatMap((shownKey) => (shownKey.kind === "ed25519" ? [new Uint8Array(shownKey.key)] : []))[0];
  expect(asked).toEqual(queries.map((query, index) => ({ query, key: index === 0 ? undefined : key })));
});

function hexOf({ payload }: { readonly payload: string }): string {
  return payload;
}

/** Returns the nonces of the recorded server: the client's signature covers one of them. */
function recordedRandom(): Random {
  const draws = session.packets
    .filter(({ from }) => from === "server")
    .flatMap(({ nonce, payload }) => {
      const content = payload === "" ? undefined : decode(frameContent, fromHex(payload));
      return content?.kind === "authentificationNonce" ? [content.nonce, fromHex(nonce)] : [fromHex(nonce)];
    });
  const bytes = (length: number): Uint8Array => {
    const draw = draws.shift() ?? new Uint8Array(0);
    expect(draw.length).toBe(length);
    return new Uint8Array(draw);
  };
  return { bytes, next: () => 0, int: () => 0 };
}

/** Sends the recorded client packets, each after its preceding server packets; returns the payloads of the server. */
async function replayClient(port: number): Promise<string[]> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const { encrypt, decrypt } = clientSession(fromHex(session.session_parameters_hex));
  const writer = new FrameWriter(encrypt, maxPayloadBytes);
  const reader = new AdnlFrameReader(decrypt, maxPayloadBytes);
  const chunks = socket[Symbol.asyncIterator]();
  const received: string[] = [];
  socket.write(fromHex(session.handshake_hex));
  for (const { from, nonce, payload } of session.packets) {
    if (from === "client") {
      socket.write(writer.frame(fromHex(payload), fromHex(nonce)));
      continue;
    }
    for (let next = reader.next(); ; next = reader.next()) {
      if (next !== undefined) {
        received.push(toHex(next));
        break;
      }
      const { done, value } = await chunks.next();
      if (done === true) return received;
      reader.push(concatBytes([value as Uint8Array]));
    }
  }
  socket.destroy();
  return received;
}
