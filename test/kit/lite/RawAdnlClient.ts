import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { seededRandom } from "../../../src/lib/random.ts";
import { clientSession } from "../../../src/lite/adnl/cipher.ts";
import { AdnlFrameReader, FrameWriter, maxPayloadBytes } from "../../../src/lite/adnl/frames.ts";
import { makeHandshake } from "../../../src/lite/adnl/handshake.ts";
import { makeAdnlKey } from "../../../src/lite/adnl/keys.ts";

/** A client that a test drives frame by frame, to send what a real client never sends. */
export class RawAdnlClient {
  readonly socket: Socket;
  readonly handshake: Uint8Array;
  readonly #reader: AdnlFrameReader;
  readonly #writer: FrameWriter;
  readonly #random = seededRandom("raw client");
  readonly #chunks: AsyncIterator<Uint8Array>;

  private constructor(socket: Socket, serverPublicKey: Uint8Array) {
    const parameters = this.#random.bytes(160);
    const session = clientSession(parameters);
    this.socket = socket;
    this.handshake = makeHandshake(makeAdnlKey(this.#random.bytes(32)), serverPublicKey, parameters);
    this.#reader = new AdnlFrameReader(session.decrypt, maxPayloadBytes);
    this.#writer = new FrameWriter(session.encrypt, maxPayloadBytes);
    this.#chunks = socket[Symbol.asyncIterator]();
  }

  /** Connects without sending anything; the test sends `handshake`. */
  static async connect(port: number, serverPublicKey: Uint8Array): Promise<RawAdnlClient> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new RawAdnlClient(socket, serverPublicKey);
  }

  /** The bytes of the next frame; frames must be sent in this order. */
  frame(payload: Uint8Array): Uint8Array {
    return this.#writer.frame(payload, this.#random.bytes(32));
  }

  send(payload: Uint8Array): void {
    this.socket.write(this.frame(payload));
  }

  /** The next payload of the server; undefined after the server closed the connection. */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const payload = this.#reader.next();
      if (payload !== undefined) return payload;
      const { done, value } = await this.#chunks.next().catch(() => ({ done: true, value: undefined }));
      if (done === true || value === undefined) return undefined;
      this.#reader.push(value);
    }
  }
}
