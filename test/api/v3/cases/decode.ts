import { expect } from "vitest";
import { beginCell } from "../../../../src/cell/Builder.ts";
import { crcForm, writeBoc } from "../../../../src/cell/boc.ts";
import { gives, refuses, type V3Case } from "./V3Case.ts";

const comment = writeBoc(beginCell().storeUint(0, 32).storeBytes(Buffer.from("hello")).cell(), crcForm);
const short = writeBoc(beginCell().storeUint(1, 8).cell(), crcForm);

/** Cases of requests that need no lite server. */
export const decodeCases = {
  decode: [
    gives("nothing", {}, { opcodes: [], bodies: [] }),
    gives(
      "opcodes in every form",
      { opcodes: ["0x0f8a7ea5", "f8a7ea5", "0X5fcc3d14", "4294967295", "-1", "0"] },
      {
        opcodes: ["jetton_transfer", "jetton_transfer", "nft_transfer", "bounce", "bounce", "text_comment"],
        bodies: [],
      },
    ),
    gives(
      "bodies in base64 and hex, one by one",
      { bodies: [Buffer.from(comment).toString("base64"), Buffer.from(short).toString("hex"), "zz"] },
      {
        opcodes: [],
        bodies: [
          { "@type": "text_comment", text: "hello" },
          { error: "unknown: boc is too small, size 8" },
          { error: expect.stringMatching(/^unknown: failed to decode hex: /) },
        ],
      },
    ),
    refuses("an opcode that is none", { opcodes: ["1", "1,2"] }, 422, "invalid opcode format at index 1: 1,2"),
    refuses(
      "too many opcodes",
      { opcodes: Array.from({ length: 1001 }, () => "1") },
      422,
      "opcodes list exceeds maximum length of 1000",
    ),
    refuses(
      "too many bodies",
      { bodies: Array.from({ length: 1001 }, () => "b5") },
      422,
      "bodies list exceeds maximum length of 1000",
    ),
  ],
} satisfies Readonly<Record<string, readonly V3Case[]>>;
