import { type ByteText, bytesToByteText } from "./byteText.ts";

/** A result that is already JSON, for endpoints that keep their answers ready. */
export class PreparedJson {
  readonly text: ByteText;

  private constructor(text: ByteText) {
    this.text = text;
  }

  /** From the UTF-8 bytes of one JSON value; they are not looked at. */
  static fromBytes(bytes: Uint8Array): PreparedJson {
    return new PreparedJson(bytesToByteText(bytes));
  }

  /** From text that is already so. */
  static fromByteText(text: ByteText): PreparedJson {
    return new PreparedJson(text);
  }
}
