import type { Transport } from "./transport/Transport.ts";

interface QueuedEvent {
  readonly text: string;
  readonly cursor: string | undefined;
  /** What it is a snapshot of: a newer one takes its place. */
  readonly snapshotOf: string | undefined;
  readonly isAnswer?: boolean;
}

/** Events that one client may have waiting. */
const maxEvents = 256;
/** Answers may wait even while events fill the queue, because a client that is behind goes on asking. */
const maxAnswers = 64;

/** Events that the transport of one client does not take yet, in order. */
export class EventQueue {
  readonly #transport: Transport;
  readonly #onWait: (isWaiting: boolean) => void;
  #events: QueuedEvent[] = [];
  #bytes = 0;
  #isWaiting = false;
  #listeners: (() => void)[] = [];

  /** Calls `onWait` when events begin to wait for the client, and when none waits any more. */
  constructor(transport: Transport, onWait: (isWaiting: boolean) => void) {
    this.#transport = transport;
    this.#onWait = onWait;
  }

  get waitingBytes(): number {
    return this.#transport.waitingBytes + this.#bytes;
  }

  /** Whether the client has more waiting than it may have. */
  isFull(maxBytes: number): boolean {
    return this.#transport.needsDrain && (this.#events.length >= maxEvents || this.waitingBytes >= maxBytes);
  }

  /** Whether a snapshot waits that a newer one would replace. */
  hasSnapshot(snapshotOf: string): boolean {
    return this.#events.some((event) => event.snapshotOf === snapshotOf);
  }

  send(text: string, cursor: string | undefined, snapshotOf?: string): void {
    if (this.#events.length === 0 && !this.#transport.needsDrain) {
      this.#transport.send(text, cursor);
      return;
    }
    const at = snapshotOf === undefined ? -1 : this.#events.findIndex((event) => event.snapshotOf === snapshotOf);
    if (at === -1) this.#events.push({ text, cursor, snapshotOf });
    else this.#bytes -= this.#events.splice(at, 1, { text, cursor, snapshotOf })[0]?.text.length ?? 0;
    this.#bytes += text.length;
    this.#wait();
  }

  /** Sends the answer to a request; `false` if too many answers wait already. */
  answer(text: string): boolean {
    if (this.#events.length === 0 && !this.#transport.needsDrain) {
      this.#transport.send(text, undefined);
      return true;
    }
    if (this.#events.filter(({ isAnswer }) => isAnswer === true).length >= maxAnswers) return false;
    this.#events.push({ text, cursor: undefined, snapshotOf: undefined, isAnswer: true });
    this.#bytes += text.length;
    this.#wait();
    return true;
  }

  /** Calls the listener once, when the client has taken everything. */
  onDrain(listener: () => void): void {
    this.#listeners.push(listener);
    this.#wait();
  }

  /** Hands everything to the transport, however much that is. */
  flush(): void {
    const events = this.#events;
    this.clear();
    for (const { text, cursor } of events) this.#transport.send(text, cursor);
  }

  clear(): void {
    this.#events = [];
    this.#bytes = 0;
  }

  #wait(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#onWait(true);
    this.#transport.onDrain(() => {
      this.#isWaiting = false;
      this.#continue();
      if (!this.#isWaiting) this.#onWait(false);
    });
  }

  #continue(): void {
    let sent = 0;
    for (const { text, cursor } of this.#events) {
      if (this.#transport.needsDrain) break;
      this.#transport.send(text, cursor);
      this.#bytes -= text.length;
      sent += 1;
    }
    this.#events.splice(0, sent);
    if (this.#events.length > 0 || this.#transport.needsDrain) this.#wait();
    else for (const listener of this.#listeners.splice(0)) listener();
  }
}
