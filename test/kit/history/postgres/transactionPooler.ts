import { randomBytes } from "node:crypto";
import { connect, createServer, type Socket } from "node:net";

/**
 * A pooler in front of a PostgreSQL, as PgBouncer is: each transaction, and each statement outside of one, gets the
 * session that was free for the longest time, hardly ever the one before.
 */
export interface TransactionPooler {
  readonly url: string;
  /** How often a session went to another client than the last one. */
  readonly handovers: number;
  close(): Promise<void>;
}

/** A message: its type, and all of its bytes. */
interface Message {
  readonly type: string;
  readonly bytes: Buffer;
}

/** A session with the server. */
interface Backend {
  readonly socket: Socket;
  last: Client | undefined;
  client: Client | undefined;
}

interface Client {
  readonly socket: Socket;
  /** Messages that wait for a session. */
  readonly waiting: Buffer[];
  backend: Backend | undefined;
  /** Messages that the server answers with "ready". */
  unanswered: number;
}

const allowed = new Set(["user", "database", "application_name", "client_encoding"]);
/** Query and sync; the end of a copy belongs to the query that began it. */
const answered = new Set(["Q", "S"]);
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** Calls back with every whole message of a stream; the first of a client has no type. */
function readMessages(socket: Socket, first: "untyped" | "typed", onMessage: (message: Message) => void): void {
  let rest = Buffer.alloc(0);
  let isTyped = first === "typed";
  socket.on("data", (piece) => {
    rest = Buffer.concat([rest, piece]);
    for (;;) {
      const from = isTyped ? 1 : 0;
      if (rest.length < from + 4) return;
      const length = from + rest.readInt32BE(from);
      if (rest.length < length) return;
      const bytes = rest.subarray(0, length);
      rest = rest.subarray(length);
      const message = { type: isTyped ? String.fromCharCode(bytes[0] ?? 0) : "", bytes };
      if (message.type === "" && bytes.readInt32BE(4) !== 80877103) isTyped = true;
      onMessage(message);
    }
  });
}

function refusal(text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`);
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

function keyData(): Buffer {
  return Buffer.concat([Buffer.from([0x4b, 0, 0, 0, 12, 0]), randomBytes(7)]);
}

/** Opens a pooler with this many sessions; settings of a client are refused, as they would be lost. */
export async function openTransactionPooler(url: string, sessions: number): Promise<TransactionPooler> {
  const at = new URL(url);
  const backends = await Promise.all(Array.from({ length: sessions }, () => openBackend(at)));
  const queue: Client[] = [];
  const clients = new Set<Socket>();
  const state = { handovers: 0 };

  const serve = (client: Client): void => {
    const backend = client.backend ?? backends.find((each) => each.client === undefined);
    if (backend === undefined) {
      if (!queue.includes(client)) queue.push(client);
      return;
    }
    if (backend.last !== undefined && backend.last !== client) state.handovers += 1;
    backend.client = backend.last = client;
    client.backend = backend;
    for (const bytes of client.waiting.splice(0)) backend.socket.write(bytes);
  };
  const free = (client: Client): void => {
    const { backend } = client;
    if (backend !== undefined) {
      backend.client = undefined;
      backends.push(...backends.splice(backends.indexOf(backend), 1));
    }
    client.backend = undefined;
    const next = queue.shift();
    if (next !== undefined) serve(next);
  };
  for (const backend of backends) {
    readMessages(backend.socket, "typed", ({ type, bytes }) => {
      const { client } = backend;
      if (client === undefined) return;
      client.socket.write(bytes);
      if (type !== "Z") return;
      client.unanswered -= 1;
      if (bytes[5] === 0x49 && client.unanswered === 0) free(client);
    });
  }
  const server = createServer((socket) => {
    clients.add(socket);
    socket.setNoDelay(true);
    const client: Client = { socket, waiting: [], backend: undefined, unanswered: 0 };
    socket.on("error", () => {});
    socket.on("close", () => {
      clients.delete(socket);
      // The server rolls back what the client disconnected.
      if (client.backend !== undefined) client.backend.socket.write(rollback);
      client.unanswered += client.backend === undefined ? 0 : 1;
    });
    readMessages(socket, "untyped", (message) => {
      if (message.type === "") return greet(socket, message.bytes);
      if (message.type === "X") return;
      client.waiting.push(Buffer.from(message.bytes));
      if (answered.has(message.type)) client.unanswered += 1;
      serve(client);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  at.port = String(typeof address === "object" ? address?.port : 0);
  return {
    url: at.href,
    get handovers() {
      return state.handovers;
    },
    close: async () => {
      for (const socket of [...clients, ...backends.map(({ socket: own }) => own)]) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const rollback = Buffer.concat([Buffer.from([0x51, 0, 0, 0, 13]), Buffer.from("rollback\0")]);

/** Answers the first message of a client without asking the server. */
function greet(socket: Socket, bytes: Buffer): void {
  const code = bytes.readInt32BE(4);
  if (code === 80877103) {
    socket.write("N");
    return;
  }
  // A cancellation.
  if (code !== 196608) {
    socket.end();
    return;
  }
  const words = bytes.subarray(8).toString().split("\0");
  const wrong = words.find((word, index) => index % 2 === 0 && word !== "" && !allowed.has(word));
  if (wrong !== undefined) {
    socket.end(refusal(`unsupported startup parameter: ${wrong}`));
    return;
  }
  const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
  socket.write(Buffer.concat([welcome, keyData(), readyForQuery]));
}

/** A session with the server, whose user needs no password. */
function openBackend(at: URL): Promise<Backend> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(at.port), at.hostname);
    socket.once("error", reject);
    socket.setNoDelay(true);
    const words = ["user", at.username, "database", at.pathname.slice(1), ""].map((word) => `${word}\0`).join("");
    const start = Buffer.alloc(8 + Buffer.byteLength(words));
    start.writeInt32BE(start.length, 0);
    start.writeInt32BE(196608, 4);
    start.write(words, 8);
    socket.write(start);
    const backend: Backend = { socket, last: undefined, client: undefined };
    readMessages(socket, "typed", ({ type }) => {
      if (type === "Z") resolve(backend);
    });
  });
}
