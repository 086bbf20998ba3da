import { expect, it } from "vitest";
import { beginCell } from "../../../../src/cell/Builder.ts";
import { writeBoc } from "../../../../src/cell/boc.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import { AbiLibrary } from "../../../../src/contracts/AbiLibrary.ts";
import type { Abi } from "../../../../src/contracts/abi/Abi.ts";
import { describeByAbis, readMeaning } from "../../../../src/history/queries/fill/bodyMeaning.ts";
import type {
  FullMessage,
  FullTransaction,
  MessageRow,
  TransactionRow,
} from "../../../../src/history/queries/fill/FullTransaction.ts";
import { runAtOnce } from "../../../../src/lib/sharing/steps.ts";
import { addBody, counterAbi, toldBody } from "../../../kit/contracts/counterAbi.ts";
import { accountNamed, named } from "../../../kit/history/traceBlocks.ts";

const own = accountNamed("counter");
const other = accountNamed("other");

const add = addBody(5n);
const told = toldBody(1n << 40n);
const comment = beginCell().storeUint(0, 32).storeBytes(Buffer.from("hi")).cell();

/** What is read of a transaction to describe its bodies. */
function message(body: Cell): FullMessage {
  const { opcodeName, decoded } = readMeaning(body, 0x7e8764ef);
  return {
    row: {} as MessageRow,
    opcodeName,
    body: { hash: body.hash(), boc: writeBoc(body), decoded },
    init: undefined,
  };
}

function transaction(account: typeof own, received: Cell, ...sent: readonly Cell[]): FullTransaction {
  return {
    row: { account } as TransactionRow,
    // Nothing else of it is read.
    description: {} as FullTransaction["description"],
    inMessage: message(received),
    outMessages: sent.map(message),
    stateBefore: undefined,
    stateAfter: undefined,
    traceExternalHash: undefined,
  };
}

function libraryWith(...abis: readonly Abi[]): AbiLibrary {
  const library = new AbiLibrary();
  for (const [at, each] of abis.entries())
    library.add({ id: `${at}`, abi: each, target: { addresses: [own], codeHashes: [named("code")], interfaces: [] } });
  return library;
}

const shown = (transactions: readonly FullTransaction[]) =>
  transactions.map(({ inMessage, outMessages }) =>
    [inMessage, ...outMessages].map((each) => [each?.opcodeName, each?.body?.decoded]),
  );

it("describes what an account received and sent by its own ABI, where no form is known", () => {
  const all = [transaction(own, add, told, add, comment), transaction(other, add)];
  expect(shown(runAtOnce(describeByAbis(all, libraryWith(counterAbi))))).toEqual([
    [
      ["add", { "@type": "add", by: "5" }],
      ["told", { "@type": "told", sum: "1099511627776" }],
      // It receives such a message and sends none.
      [undefined, undefined],
      [undefined, { "@type": "text_comment", type: "text_comment", comment: "hi" }],
    ],
    [[undefined, undefined]],
  ]);
  expect(runAtOnce(describeByAbis(all, libraryWith()))).toBe(all);
  expect(runAtOnce(describeByAbis(all, undefined))).toBe(all);
});

it("leaves bodies beyond the limits as they are, and those after them", () => {
  const endless: Abi = {
    name: "endless",
    receives: [{ name: "m", fields: [{ name: "v", type: { many: { struct: [] } } }] }],
  };
  const unknown = beginCell().storeUint(0x01020304, 32).cell();
  const all = [transaction(own, add), transaction(own, unknown), transaction(own, add)];
  expect(shown(runAtOnce(describeByAbis(all, libraryWith(counterAbi, endless))))).toEqual([
    [["add", { "@type": "add", by: "5" }]],
    [[undefined, undefined]],
    [[undefined, undefined]],
  ]);
});
