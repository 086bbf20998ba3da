import type { Hash } from "../../model/Hash.ts";
import type { SentMessage } from "../SentMessage.ts";
import { makeEntry, type PendingEntry } from "./PendingEntry.ts";
import type { PendingMessage } from "./pendingRun.ts";

/** Pending messages, by hash and by place: the order in which they were sent. */
export class PendingEntries {
  readonly #byHash = new Map<Hash, PendingEntry>();
  readonly #byPlace = new Map<number, PendingEntry>();
  #places = 0;

  /** Adds a message at the end. */
  add(message: Omit<PendingMessage, "place">): PendingEntry {
    const entry = makeEntry({ place: this.#places++, ...message });
    this.#byHash.set(entry.sent.normalizedHash, entry);
    this.#byPlace.set(entry.place, entry);
    return entry;
  }

  find({ normalizedHash }: SentMessage): PendingEntry | undefined {
    return this.#byHash.get(normalizedHash);
  }

  has({ normalizedHash }: SentMessage): boolean {
    return this.#byHash.has(normalizedHash);
  }

  /** The entries at these places that still exist. */
  listAt(places: Iterable<number>): readonly PendingEntry[] {
    return [...places].flatMap((place) => this.#byPlace.get(place) ?? []);
  }

  remove({ sent, place }: PendingEntry): void {
    this.#byHash.delete(sent.normalizedHash);
    this.#byPlace.delete(place);
  }

  clear(): void {
    this.#byHash.clear();
    this.#byPlace.clear();
  }
}
