import type { CancelTimer, Clock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { KeyFinder } from "./Gatekeeper.ts";
import type { KeyFile } from "./KeyFile.ts";
import { type ApiKey, hashApiKey } from "./keys.ts";

/** Well below the second within which a change must take effect. */
const lookMs = 400;
/** How often uses are written to disk. */
const writeUsedMs = 15_000;

export interface KeyRingModules {
  readonly clock: Clock;
  readonly log: Log;
}

/** The keys of a running server: follows changes of the file by other programs, and records the use of keys. */
export class KeyRing implements KeyFinder {
  readonly #file: KeyFile;
  readonly #modules: KeyRingModules;
  readonly #used = new Map<string, number>();
  #byHash = new Map<string, ApiKey>();
  /** Keys by their secret, once found: hashing costs more than the rest of admission. */
  #bySecret = new Map<string, ApiKey>();
  #stamp = "";
  #writeUsedAtMs: number;
  /** Why the last check failed, so that it is logged once. */
  #trouble = "";
  #cancelLook: CancelTimer = () => {};

  private constructor(file: KeyFile, modules: KeyRingModules) {
    this.#file = file;
    this.#modules = modules;
    this.#writeUsedAtMs = modules.clock.monotonic() + writeUsedMs;
  }

  /** Reads the file and starts to follow it. */
  static open(file: KeyFile, modules: KeyRingModules): KeyRing {
    const ring = new KeyRing(file, modules);
    ring.#read();
    ring.#waitForLook();
    return ring;
  }

  find(secret: string): ApiKey | undefined {
    const key = this.#bySecret.get(secret) ?? this.#findByHash(secret);
    if (key !== undefined) this.#used.set(key.id, Math.floor(this.#modules.clock.now() / 1000));
    return key;
  }

  /** Stops following, and writes the last uses. */
  close(): void {
    this.#cancelLook();
    this.#attempt(() => this.#writeUsed());
  }

  #findByHash(secret: string): ApiKey | undefined {
    const key = this.#byHash.get(hashApiKey(secret));
    if (key !== undefined) this.#bySecret.set(secret, key);
    return key;
  }

  #waitForLook(): void {
    this.#cancelLook = this.#modules.clock.timer(lookMs, () => {
      this.#look();
      this.#waitForLook();
    });
  }

  /** An error repeats at the next check; until it is fixed the last known keys stay valid. */
  #look(): void {
    this.#attempt(() => {
      if (this.#file.stamp() !== this.#stamp) this.#read();
      if (this.#modules.clock.monotonic() >= this.#writeUsedAtMs) {
        this.#writeUsedAtMs += writeUsedMs;
        this.#writeUsed();
      }
    });
  }

  #attempt(work: () => void): void {
    try {
      work();
      this.#trouble = "";
    } catch (error) {
      if (!isCoded(error, "api/key-file")) throw error;
      if (this.#trouble !== error.message) {
        this.#trouble = error.message;
        this.#modules.log.error("the key file cannot be read; the keys read before stay valid", { error });
      }
    }
  }

  /** The stamp is read before the content: a change in between is found by the next check. */
  #read(): void {
    const stamp = this.#file.stamp();
    const { keys, badLines } = this.#file.read();
    this.#stamp = stamp;
    this.#byHash = new Map(keys.filter(({ revokedAt }) => revokedAt === undefined).map((key) => [key.hash, key]));
    this.#bySecret = new Map();
    if (badLines.length > 0) {
      this.#modules.log.warn("the key file has damaged lines; the keys they name are refused", {
        lines: badLines,
      });
    }
  }

  #writeUsed(): void {
    if (this.#used.size > 0) {
      this.#file.writeUsed(this.#used);
      this.#used.clear();
    }
  }
}
