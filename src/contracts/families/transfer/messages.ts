import { type Body, bareOpcode, body } from "../../kit/declare.ts";
import { ref, rest, text } from "../../kit/fields.ts";
import { queryBody } from "../../kit/queryBody.ts";

// text_comment#00000000 text:Text
export const textComment = body("text_comment", 0x00000000, { text });
export const textCommentInRef = body("text_comment", 0x00000000, { text: ref(text) });

export const encryptedTextComment = body("encrypted_text_comment", 0x2167da4b, { cipherText: rest });
export const encryptedTextCommentForwardPayload = body("encrypted_text_comment_forward_payload", 0x2167da4b, {
  cipherText: rest,
});

export const excess = queryBody("excess", 0xd53276db);
export const bounce = bareOpcode("bounce", 0xffffffff);

/** In the order they are tried. */
export const transferBodies: readonly Body<unknown>[] = [
  textComment,
  textCommentInRef,
  encryptedTextComment,
  encryptedTextCommentForwardPayload,
  excess,
  bounce,
];
