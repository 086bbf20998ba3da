import { writeBoc } from "../../cell/boc.ts";
import { storeCell } from "../../cell/codec.ts";
import { toBase64 } from "../../lib/bytes.ts";
import { VmStackValue } from "../../model/vm/VmStack.ts";
import type { NamedText } from "./protocol.ts";

/**
 * Previous blocks as the machine reads them. Many runs are handed the very same value, and writing it takes longer than
 * most of them, so the text is kept for as long as the value is.
 */
export class PreviousBlocksTexts {
  readonly #texts = new WeakMap<VmStackValue, NamedText>();

  get(previousBlocks: VmStackValue): NamedText {
    const known = this.#texts.get(previousBlocks);
    if (known !== undefined) return known;
    const cell = storeCell(VmStackValue, previousBlocks);
    const text = { key: cell.hash(), boc: toBase64(writeBoc(cell)) };
    this.#texts.set(previousBlocks, text);
    return text;
  }
}
