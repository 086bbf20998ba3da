import { readBoc } from "../../cell/boc.ts";
import { isCoded } from "../../lib/errors.ts";
import { AppError } from "../errors.ts";

/** A bag of cells from its bytes, or from their text in hex or base64. */
export function readBag(content: Buffer, source: string): Buffer {
  const bytes = isBinary(content) ? content : decodeText(content.toString("latin1").trim());
  try {
    readBoc(bytes);
  } catch (cause) {
    if (!isCoded(cause)) throw cause;
    const shown = source.length > 40 ? `${source.slice(0, 40)}…` : source;
    throw new AppError("app/usage", `${shown} is no file and no bag of cells: ${cause.message}`, { cause });
  }
  return bytes;
}

function isBinary(content: Buffer): boolean {
  return content.some((byte) => byte > 0x7e || (byte < 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09));
}

function decodeText(text: string): Buffer {
  return Buffer.from(text, /^(?:[0-9a-f]{2})+$/i.test(text) ? "hex" : "base64");
}
