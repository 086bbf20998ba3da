/** Short buffers are parts of pieces of memory of so many bytes; Node's own are of 8 KiB. */
const pieceBytes = 64 * 1024;

/**
 * Lets Node ask for memory less often. While the engine looks for garbage, each piece that it is asked for may cost a step of up
 * to 10 ms on the event loop.
 */
export function enlargeBuffers(): void {
  Buffer.poolSize = pieceBytes;
}
