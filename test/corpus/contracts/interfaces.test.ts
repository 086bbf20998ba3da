import { expect, it } from "vitest";
import {
  describeCorpus,
  describeCorpusPart,
  listFiles,
  readFormat,
  readJson,
  reportAbsent,
} from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText, withRecorded } from "../../../kit/suite/record.ts";
import { cellOf, RecordedConfigs, readRecordedState } from "../../../kit/tvm/tvmRecords.ts";
import { isPlainWallet } from "../../../src/contracts/families/wallet/PlainWallet.ts";
import { interfacesOf } from "../../../src/contracts/interfaces.ts";
import { readTokenContent } from "../../../src/contracts/kit/tokenContent.ts";
import { families } from "../../../src/contracts/registry.ts";
import { hashToBase64, parseHash } from "../../../src/model/Hash.ts";
import { accountStateOf } from "../../kit/contracts/recordedCaller.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const interfaces = families.flatMap((family) => family.interfaces);

describeCorpus("interfaces of the corpus", (folder) => {
  const configs = new RecordedConfigs(folder);

  for (const path of listFiles(folder, "getmethods", ".json")) {
    it(`follow from code and methods: ${path}`, async () => {
      const file = readJson(folder, path);
      const account = await accountStateOf(readRecordedState(file, configs));
      // The corpus writes an empty list for code without a dictionary.
      const found = { contract_methods: account.methods ?? [], expected_interfaces: interfacesOf(account) };
      expect(found).toEqual(withRecorded(found, asRecord(asRecord(file).contract)));
    });
  }

  it("are declared as in the public table", () => {
    const tables = readFormat(folder, "contracts", "ton-interface-table/1");
    const declared = interfaces.map(({ name, codes, methods, methodIds }) => ({
      name,
      codes: codes.map(hashToBase64),
      methods: methods.map((method, index) => ({ name: method, id: methodIds[index] })),
    }));
    const listed = tables
      .flatMap(({ interfaces: table }) => asList(table))
      .map((each) => {
        const { interface: name, code_hashes: codes, required_methods: methods } = asRecord(each);
        return { name: asText(name).trim(), codes, methods };
      });
    const names = new Set(listed.map(({ name }) => name));
    reportAbsent(
      "the interfaces",
      declared.map(({ name }) => name).filter((name) => !names.has(name)),
    );
    expect(declared.filter(({ name }) => names.has(name)).sort(byName)).toEqual(listed.sort(byName));
  });

  it("detect plain wallets by their codes", () => {
    const files = readFormat(folder, "contracts", "ton-wallet-codes/1");
    for (const { id, code_hash: hash, is_wallet_for_api: is } of files.flatMap((file) => records(file.wallets)))
      if (is !== undefined) expect({ id, is: isPlainWallet(parseHash(asText(hash))) }).toEqual({ id, is });
  });
});

function records(list: unknown): Readonly<Record<string, unknown>>[] {
  return asList(list).map(asRecord);
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

/** A value as printed in the sample: text, or base64 if not text. */
function printed(value: unknown): string {
  return typeof value === "string" ? value : asText(asRecord(value).base64);
}

const knownNames = new Set("uri name description image image_data symbol decimals amount_style render_type".split(" "));

describeCorpusPart("token contents of the corpus, as stored by an index", "metadata/*.json", (folder) => {
  for (const file of readFormat(folder, "metadata", "tep64-samples/1")) {
    for (const sample of records(file.samples)) {
      it(`have the known attributes: ${asText(sample.name)}`, () => {
        const { type, data } = asRecord(sample.expected);
        const content = cellOf(sample.content_boc);
        if (type === "undecodable") {
          expect(refusalCode(() => readTokenContent(content))).toMatch(/^(model|cell)\//);
          return;
        }
        const entries = type === "offchain" ? [["uri", asText(data)]] : Object.entries(asRecord(data));
        const known = entries.filter(([name]) => knownNames.has(String(name)));
        expect(readTokenContent(content)).toEqual(
          Object.fromEntries(known.map(([name, value]) => [name, printed(value).replaceAll("\0", "")])),
        );
      });
    }
  }
});
