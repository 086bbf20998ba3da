import type { ReceivedAnswer } from "../../../src/api/client/verify/Verifier.ts";
import { fromBase64, toBase64 } from "../../../src/lib/bytes.ts";
import type { Dice } from "./Dice.ts";
import type { ProvedAnswer } from "./proofStage.ts";

/** Changes one byte of a lite answer, or one character of the JSON of the result or of the proof. */
export function mutateAnswer(answer: ProvedAnswer, dice: Dice): ReceivedAnswer {
  const { answers } = answer.proof;
  if (answers.length > 0 && dice.int(3) > 0) {
    const at = dice.int(answers.length);
    const changed = answers.map(([query, bytes], i) =>
      i === at ? [query, toBase64(flip(fromBase64(bytes), dice))] : [query, bytes],
    );
    return { ...answer, proof: { ...answer.proof, answers: changed } };
  }
  const { answers: _answers, ...rest } = answer.proof;
  const text = JSON.stringify({ result: answer.result, proof: rest });
  const at = dice.int(text.length);
  const other = String.fromCharCode(32 + dice.int(95));
  try {
    const { result, proof } = JSON.parse(text.slice(0, at) + other + text.slice(at + 1));
    return { result, proof: { ...proof, answers } };
  } catch {
    return { result: undefined, proof: answer.proof };
  }
}

function flip(bytes: Uint8Array, dice: Dice): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const at = dice.int(copy.length);
  copy[at] = (copy[at] ?? 0) ^ (1 << dice.int(8));
  return copy;
}
