import { type BocForm, crcForm, writeBoc, writeBocInSteps } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { hashInSteps } from "../../cell/hashInSteps.ts";
import { toBase64 } from "../../lib/bytes.ts";
import { deferJson } from "../../lib/kit/deferredJson.ts";
import type { Steps } from "../../lib/sharing/steps.ts";

/** A bag of so many cells takes less than a millisecond. */
const maxAtOnce = 1_000;
/** Bytes that are encoded in one step; a multiple of three, so that base64 has no padding between them. */
const encodedPerStep = 48 << 10;

/** Trees of cells as a bag in base64; large ones are written in steps. */
export function encodeBag(roots: Cell | readonly Cell[], form: BocForm = crcForm): string {
  const list = Array.isArray(roots) ? roots : [roots as Cell];
  if (isSmall(list)) return writeBoc(list, form).toString("base64");
  return deferText(() => encodeBagInSteps(list, form));
}

/** Bytes in base64; many of them are written in steps. */
export function encodeBytes(bytes: Uint8Array): string {
  if (bytes.length <= encodedPerStep) return toBase64(bytes);
  return deferText(() => encodeBytesInSteps(bytes));
}

/** The base64 of a bag in pieces. */
export function* encodeBagInSteps(roots: readonly Cell[], form: BocForm): Steps<readonly string[]> {
  return yield* encodeBytesInSteps(yield* writeBagInSteps(roots, form));
}

/** A bag of cells, whose hashes need not be known yet. */
export function* writeBagInSteps(roots: readonly Cell[], form: BocForm): Steps<Buffer> {
  if (isSmall(roots)) return writeBoc(roots, form);
  for (const root of roots) yield* hashInSteps(root);
  return yield* writeBocInSteps(roots, form);
}

function* encodeBytesInSteps(bytes: Uint8Array): Steps<readonly string[]> {
  if (bytes.length <= encodedPerStep) return [toBase64(bytes)];
  const texts: string[] = [];
  for (let at = 0; at < bytes.length; at += encodedPerStep) {
    texts.push(toBase64(bytes.subarray(at, at + encodedPerStep)));
    yield;
  }
  return texts;
}

function deferText(encode: () => Steps<readonly string[]>): string {
  return deferJson(function* (sink) {
    sink.add('"');
    for (const text of yield* encode()) {
      sink.add(text);
      yield;
    }
    sink.add('"');
  });
}

/** Whether there are few cells; a shared one counts as often as it is referred to. */
function isSmall(roots: readonly Cell[]): boolean {
  const waiting = [...roots];
  for (let count = 0; waiting.length > 0; count++) {
    const cell = waiting.pop();
    if (cell === undefined || count >= maxAtOnce) return false;
    for (let at = 0; at < cell.refCount; at++) waiting.push(cell.ref(at));
  }
  return true;
}
