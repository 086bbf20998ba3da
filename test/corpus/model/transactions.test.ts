import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import { CellKind } from "../../../src/cell/base/CellKind.ts";
import { crcForm, readRoot, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import { normalizedHash } from "../../../src/model/normalizedHash.ts";
import { Transaction } from "../../../src/model/Transaction.ts";
import { pickKnown } from "../../kit/api/recordedTransaction.ts";
import { transactionJson } from "../../kit/model/transactionJson.ts";

function rootOf(boc: unknown): Cell {
  return readRoot(Buffer.from(asText(boc), "base64"));
}

describeCorpusPart("transactions of the corpus", ["transactions/", "api-v3/"], (folder) => {
  it.each(listFiles(folder, "transactions", ".json"))(
    "equal those of another parser, bodies byte for byte: %s",
    (path) => {
      const list = asList(asRecord(readJson(folder, path)).transactions).map(asRecord);
      expect(list.length).toBeGreaterThan(0);
      for (const { boc, expected, workchain_assumed: workchain } of list) {
        const root = rootOf(boc);
        const ours = transactionJson(root, Number(workchain), { cells: "hash and bytes", external: "_ext_dst" });
        expect(ours).toEqual(withRightMasks(expected));
        expect(storeCell(Transaction, loadCell(Transaction, root)).hash()).toBe(root.hash());
      }
    },
  );

  it.each(listFiles(folder, "api-v3", ".transactions.json"))("equal those of the public service: %s", (path) => {
    const answer = asRecord(readJson(folder, path.replace(".transactions.json", ".response.json")));
    const cells = asRecord(asRecord(readJson(folder, path)).transactions);
    const holders = answer.traces === undefined ? [answer] : asList(answer.traces).map(asRecord);
    const answered = holders.flatMap((holder) => Object.values(asRecord(holder.transactions)).map(asRecord));
    expect(answered).toHaveLength(Object.keys(cells).length);
    for (const transaction of answered) {
      const { boc } = asRecord(cells[asText(transaction.hash)]);
      // The corpus has null for cells that could not be rebuilt from the answer.
      if (boc === null) continue;
      const root = rootOf(boc);
      const workchain = Number(asText(transaction.account).split(":")[0]);
      const ours = transactionJson(root, workchain, { cells: "hash and bytes", external: "external_destination" });
      const [known, expected] = pickKnown(ours, transaction);
      expect(known, asText(transaction.hash)).toEqual(expected);
      const { hash_norm: normalized } = asRecord(transaction.in_msg);
      if (normalized !== undefined) expect(normalizedOf(root), asText(transaction.hash)).toBe(normalized);
    }
  });
});

/**
 * Some expectations have the highest level where the level mask of a pruned branch belongs, which differs for several
 * levels; such bodies are compared as a node encodes them, all others as they are.
 */
function withRightMasks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withRightMasks);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === "body" && hasSeveralLevels(rootOf(inner))
        ? writeBoc(rootOf(inner), crcForm).toString("base64")
        : withRightMasks(inner),
    ]),
  );
}

function hasSeveralLevels(cell: Cell): boolean {
  if (cell.kind === CellKind.pruned) return (cell.levelMask & (cell.levelMask - 1)) !== 0;
  return cell.refs().some(hasSeveralLevels);
}

/** The service's `hash_norm`: undefined if equal to the plain hash. */
function normalizedOf(root: Cell): string | undefined {
  const message = loadCell(Transaction, root).messages.in;
  if (message?.info.kind !== "externalIn") return undefined;
  const hash = normalizedHash({ info: message.info, body: message.body });
  return hash === message.cell.hash() ? undefined : hashToBase64(hash);
}
