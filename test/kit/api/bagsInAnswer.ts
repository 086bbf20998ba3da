const magic = Buffer.from("b5ee9c72", "hex");

/**
 * The bags of cells in a TL answer, found without its schema: a byte string starts with its length, a bag with its
 * magic number.
 */
export function bagsInAnswer(answer: Buffer): Buffer[] {
  const bags: Buffer[] = [];
  for (let at = answer.indexOf(magic); at >= 0; at = answer.indexOf(magic, at + 1)) {
    const length = lengthBefore(answer, at);
    if (length === undefined) continue;
    bags.push(answer.subarray(at, at + length));
    at += length - 1;
  }
  return bags;
}

/** A length below 254 takes one byte; a longer one is the byte 254 and three little-endian bytes. */
function lengthBefore(answer: Buffer, at: number): number | undefined {
  const long = at >= 4 && answer[at - 4] === 254 ? answer.readUIntLE(at - 3, 3) : undefined;
  const short = at >= 1 ? answer[at - 1] : undefined;
  return [long, short].find((length) => length !== undefined && length >= 16 && at + length <= answer.length);
}
