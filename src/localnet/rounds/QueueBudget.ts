/** What messages from queues did in a round. */
export interface QueueUse {
  /** Of the blocks, as far as these messages and those they cause fill them. */
  readonly queueBytes: number;
  /** Of all blocks of the round. */
  readonly wholeBytes: number;
  /** Until the blocks were in the chain. */
  readonly wholeMs: number;
}

/** The part of the pace that messages from queues may take: clients and the index use the same thread. */
const ownPart = 1 / 3;
/** How the limit changes from round to round: at most halved, and raised by a quarter. */
const leastChange = 1 / 2;
const raise = 5 / 4;
/**
 * About a hundred messages, which no pace forbids: one slow round of a busy machine must not throttle the next ones.
 */
const leastBytes = 32_768;

/**
 * How large messages from queues, and those that they cause, may make the blocks of a round. Contracts that call one
 * another without end fill every block, however fast the machine is: such rounds leave most of their pace to others.
 * The limit follows from the rounds before.
 */
export class QueueBudget {
  readonly #ownMs: number;
  #maxBytes = Number.POSITIVE_INFINITY;

  constructor(paceMs: number) {
    this.#ownMs = paceMs * ownPart;
  }

  /** Whether blocks that have so many bytes of them take no more messages from queues. */
  isSpent(bytes: number): boolean {
    return bytes >= this.#maxBytes;
  }

  learn({ queueBytes, wholeBytes, wholeMs }: QueueUse): void {
    const queueMs = wholeMs * Math.min(1, queueBytes / Math.max(1, wholeBytes));
    const isOver = queueMs > this.#ownMs;
    this.#maxBytes = isOver
      ? Math.max(leastBytes, queueBytes * Math.max(leastChange, this.#ownMs / queueMs))
      : Math.min(this.#maxBytes, Number.MAX_SAFE_INTEGER) * raise;
  }
}
