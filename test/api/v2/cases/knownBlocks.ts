import { expect } from "vitest";

/* Facts about the first 24 masterchain blocks of the recorded chain. */

export const nobody = "0:7945bc2d6e4fd0a0be5216460557bef483a80b6af0acbcdf06866f5c473b9367";
export const elector = "-1:3333333333333333333333333333333333333333333333333333333333333333";
export const whole = "-9223372036854775808";
export const zeroHash = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

function blockId(workchain: number, seqno: number, rootHash: string, fileHash: string) {
  const hashes = { root_hash: rootHash, file_hash: fileHash };
  return { "@type": "ton.blockIdExt", workchain, shard: whole, seqno, ...hashes };
}

export const head = blockId(
  -1,
  24,
  "RY0O5ShFRAbsda0NHKCC0RW0ToG7ITuprm+/wdP+6/c=",
  "4sakWCw0nA3M9zVWm08rljArZ6ENAQhZbzYyrsLMV9w=",
);
export const shardTop = blockId(
  0,
  23,
  "++jH/22h0DsTUfU/eZkxHZTe+cJbkfdydOXkjI9brNg=",
  "DtRjPqA2o6EN57ffMCeqPfP52l+YheGw62y6RfDv0oY=",
);
export const fifth = blockId(
  0,
  5,
  "hcmkR4Z+NqKOBgdnSItxrJ5zjBurEQNYOsEXIWOtlOg=",
  "2S5ITbygUEKhmRHZePl5BiR0tNJu5a/g9sKQrkdckeg=",
);
export const first = blockId(
  -1,
  1,
  "eC482tRnJtBaMvqgBbZZpPIYD31TIs0ySHeMlBGlk68=",
  "ObhLk1aIPTj+uSr2aXjAfOqsrX1r0yV/bzlQv9wMDss=",
);
export const second = blockId(
  -1,
  2,
  "k8bfo053+biZWhnG+EjYmZ6PTDrvZDEqiDqTaF2izaQ=",
  "OvKVvg+k3pSizLuud55yS8OGSpueQqsHq4YCZBEy5r4=",
);
export const fourth = blockId(
  0,
  4,
  "KmdAmwjsd3Shj7WqOmrYDRBnXskQyR6n+IOY81HAjUY=",
  "LVtNOxZFjms8Z7TSZF9hOaNbvO5QtGhKc8lagBWOALo=",
);
export const zeroState = {
  ...blockId(-1, 0, "5MEMRwF4xUTW3gsYwu6LXYyU2TTzAb8b4Q+V8ZESayM=", "DqTnH0lNqbvACWNQy5P5tzG0z1SlfUXNeJxIuBjdoFs="),
  shard: "0",
};
export const noTransaction = { "@type": "internal.transactionId", lt: "0", hash: zeroHash };
export const inBasechain = { workchain: 0, shard: whole };
export const futureText = (shard: string, what: string) => `LITE_SERVER_NOTREADY: cannot find block (${shard}) ${what}`;

export const future = futureText(
  "-1,8000000000000000",
  "seqno=1000: ltdb: block not found (last known masterchain block: 24)",
);

/** A bounced message in the first block. */
export const sender = `-1:${"f".repeat(62)}ef`;
export const elsewhere = "-1:04f64c6afbff3dd10d8ba6707790ac9670d540f37a9448b0337baa6a5a92acac";
export const sent = { source: sender, destination: elsewhere, created_lt: "1000006" };

/** The golden tests compare whole transactions with the reference. */
export function transactionAt(account: string, lt: string): unknown {
  const id = { "@type": "internal.transactionId", lt, hash: expect.any(String) };
  return expect.objectContaining({
    "@type": "ext.transaction",
    account: account.toUpperCase(),
    transaction_id: id,
  });
}
