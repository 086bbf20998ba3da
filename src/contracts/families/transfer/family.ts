import { declareFamily } from "../../engine/declareFamily.ts";
import { type Body, bareOpcode, body } from "../../kit/declare.ts";
import { ref, rest, text } from "../../kit/fields.ts";
import { queryBody } from "../../kit/queryBody.ts";

// text_comment#00000000 text:Text
const textComment = body("text_comment", 0x00000000, { text });
const textCommentInRef = body("text_comment", 0x00000000, { text: ref(text) });

const encryptedTextComment = body("encrypted_text_comment", 0x2167da4b, { cipherText: rest });
const encryptedTextCommentForwardPayload = body("encrypted_text_comment_forward_payload", 0x2167da4b, {
  cipherText: rest,
});

const excess = queryBody("excess", 0xd53276db);
const bounce = bareOpcode("bounce", 0xffffffff);

/** In the order they are tried. */
const transferBodies: readonly Body<unknown>[] = [
  textComment,
  textCommentInRef,
  encryptedTextComment,
  encryptedTextCommentForwardPayload,
  excess,
  bounce,
];

/** Plain messages: transfers of TON, calls and deployments. */
export const family = declareFamily({
  bodies: transferBodies,
  types: { v1: ["call_contract", "contract_deploy", "ton_transfer", "tick_tock"], v2: ["unknown"] },
});
