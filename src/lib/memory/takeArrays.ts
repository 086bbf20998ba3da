/** An array of numbers over a part of some memory. */
type ArrayKind<A> = new (memory: ArrayBuffer, at: number, length: number) => A;

/**
 * Memory for arrays that are made, and live, together: each call takes the next one, those with long elements first.
 * While the engine looks for garbage, each piece of memory that it is asked for may cost a step of 10 ms; at any time,
 * eight pieces take three times as long as one.
 */
export function takeArrays(bytes: number) {
  const memory = new ArrayBuffer(bytes);
  let at = 0;
  return <A extends ArrayBufferView>(kind: ArrayKind<A>, length: number): A => {
    const array = new kind(memory, at, length);
    at += array.byteLength;
    return array;
  };
}
