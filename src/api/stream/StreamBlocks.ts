import { Slots } from "../../lib/sharing/Slots.ts";
import type { StreamBlock } from "./StreamBlock.ts";

/** Number of cached blocks for late readers. */
export const keptBlocks = 64;
/** Their size: a contract decides how many messages a block has. */
const keptBytes = 32 << 20;
/** Number of blocks read concurrently for clients that are behind. */
const maxReading = 4;

/** Where blocks come from. */
interface BlockReader {
  /** The newest block. */
  last(): number | undefined;
  readBlock(mcSeqno: number): Promise<StreamBlock>;
}

interface KeptBlock {
  readonly read: Promise<StreamBlock>;
  /** 0 until it has been read. */
  bytes: number;
}

/** The blocks of a hub, each read once for all connections that need it, and kept for a while. */
export class StreamBlocks {
  readonly #source: BlockReader;
  /** The oldest use first. */
  readonly #blocks = new Map<number, KeptBlock>();
  #bytes = 0;
  /** Clients that are behind read a few blocks at a time, so that the newest block is never delayed. */
  readonly #behind = new Slots({ total: maxReading });

  constructor(source: BlockReader) {
    this.#source = source;
  }

  read(mcSeqno: number): Promise<StreamBlock> {
    const known = this.#blocks.get(mcSeqno);
    if (known !== undefined) return known.read;
    const isNewest = mcSeqno === this.#source.last();
    const readBlock = () => this.#source.readBlock(mcSeqno);
    const kept = { read: isNewest ? readBlock() : this.#behind.run(readBlock), bytes: 0 };
    this.#blocks.set(mcSeqno, kept);
    kept.read.then(
      (block) => this.#weigh(mcSeqno, kept, block),
      () => this.#blocks.get(mcSeqno) === kept && this.#drop(mcSeqno),
    );
    this.#dropOldest();
    return kept.read;
  }

  /** One that was dropped while it was read is not counted. */
  #weigh(mcSeqno: number, kept: KeptBlock, block: StreamBlock): void {
    if (this.#blocks.get(mcSeqno) !== kept) return;
    kept.bytes = bytesOf(block);
    this.#bytes += kept.bytes;
    this.#dropOldest();
  }

  /** The newest stays, whatever its size: several connections need it. */
  #dropOldest(): void {
    for (const oldest of this.#blocks.keys()) {
      const { size } = this.#blocks;
      if (size <= 1 || (size <= keptBlocks && this.#bytes <= keptBytes)) return;
      this.#drop(oldest);
    }
  }

  #drop(mcSeqno: number): void {
    this.#bytes -= this.#blocks.get(mcSeqno)?.bytes ?? 0;
    this.#blocks.delete(mcSeqno);
  }
}

/** Two bytes a character, and what an object and its addresses take. */
function bytesOf({ traces, open, states, jettons, block, accounts }: StreamBlock): number {
  let characters = block.json.length + accounts.size * addressCharacters;
  const add = (items: readonly { readonly json: string }[]) => {
    for (const { json } of items) characters += json.length + itemCharacters;
  };
  for (const { transactions, actions, tree } of [...traces, ...open]) {
    add(transactions);
    add(actions);
    characters += tree?.length ?? 0;
  }
  add(states);
  add(jettons);
  return characters * 2;
}

const addressCharacters = 100;
const itemCharacters = 400;
