/** What a chunk costs beside its bytes: the objects that hold it until its message is complete. */
const chunkBytes = 256;

const maskedBit = 0x80;
const finalBit = 0x80;
const controlBit = 0x08;

/**
 * Follows the headers of a client's frames (RFC 6455, 5.2) without reading their payload: counts frames, and the bytes
 * that wait for the end of a message. `ws` reads the frames and refuses invalid ones; it reports neither.
 */
export class FrameMeter {
  /** Bytes of the header that are still to come; 0 within a payload. */
  #headerLeft = 2;
  /** Bytes of the length field that are still to come. */
  #lengthLeft = 0;
  #headerAt = 0;
  #payloadLeft = 0;
  #isFinal = false;
  #isControl = false;
  #isInMessage = false;
  #heldBytes = 0;

  /** Bytes received of a message that is not complete, with what holding them costs. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Follows a chunk and returns how many frames ended in it. */
  take(chunk: Uint8Array): number {
    let frames = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.#headerLeft > 0) {
        this.#takeHeader(chunk[at] ?? 0);
        at += 1;
      } else {
        const taken = Math.min(this.#payloadLeft, chunk.length - at);
        this.#payloadLeft -= taken;
        at += taken;
      }
      if (this.#headerLeft > 0 || this.#payloadLeft > 0) continue;
      this.#endFrame();
      frames += 1;
    }
    this.#heldBytes = this.#isComplete() ? 0 : this.#heldBytes + chunk.length + chunkBytes;
    return frames;
  }

  #isComplete(): boolean {
    return !this.#isInMessage && this.#headerAt === 0;
  }

  #takeHeader(byte: number): void {
    this.#headerLeft -= 1;
    if (this.#headerAt === 0) {
      this.#isFinal = (byte & finalBit) !== 0;
      this.#isControl = (byte & controlBit) !== 0;
    } else if (this.#headerAt === 1) {
      const short = byte & 0x7f;
      this.#lengthLeft = short === 126 ? 2 : short === 127 ? 8 : 0;
      this.#payloadLeft = this.#lengthLeft === 0 ? short : 0;
      this.#headerLeft = this.#lengthLeft + ((byte & maskedBit) === 0 ? 0 : 4);
    } else if (this.#lengthLeft > 0) {
      this.#lengthLeft -= 1;
      this.#payloadLeft = this.#payloadLeft * 256 + byte;
    }
    this.#headerAt += 1;
  }

  #endFrame(): void {
    if (!this.#isControl) this.#isInMessage = !this.#isFinal;
    this.#headerAt = 0;
    this.#headerLeft = 2;
  }
}
