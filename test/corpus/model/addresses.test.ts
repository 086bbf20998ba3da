import { expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson } from "../../../kit/suite/corpus.ts";
import { asList, asRecord, asText } from "../../../kit/suite/record.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import {
  type AddressFlags,
  findAddress,
  formatAddress,
  formatRawAddress,
  type ParsedAddress,
  parseAddress,
  plainAddress,
} from "../../../src/model/Address.ts";
import { findHash } from "../../../src/model/Hash.ts";
import { internalAddress } from "../../../src/model/messageAddress.ts";

const forms: Readonly<Record<string, AddressFlags>> = {
  bounceable: { bounceable: true, testOnly: false },
  non_bounceable: { bounceable: false, testOnly: false },
  testnet_bounceable: { bounceable: true, testOnly: true },
  testnet_non_bounceable: { bounceable: false, testOnly: true },
};

function checkForms(parsed: ParsedAddress, expected: Readonly<Record<string, unknown>>): void {
  for (const [name, flags] of Object.entries(forms)) {
    const { b64, b64url } = asRecord(expected[name]);
    expect(formatAddress(parsed.address, flags, "base64")).toBe(b64);
    expect(formatAddress(parsed.address, flags, "base64url")).toBe(b64url);
    for (const text of [b64, b64url]) expect(parseAddress(asText(text))).toEqual({ address: parsed.address, flags });
  }
}

describeCorpusPart("addresses of the corpus", "addresses/", (folder) => {
  it.each(listFiles(folder, "addresses", "conversions.json"))("have all the recorded forms: %s", (path) => {
    const { conversions, recorded_address_book: book } = asRecord(readJson(folder, path));
    for (const expected of asList(conversions).map(asRecord)) {
      const parsed = parseAddress(asText(expected.raw));
      expect(parsed).toEqual({ address: expected.raw_lower, flags: undefined });
      expect(parseAddress(asText(expected.raw_lower))).toEqual(parsed);
      expect(formatRawAddress(parsed.address)).toBe(expected.raw);
      checkForms(parsed, expected);
    }
    for (const { raw, user_friendly: friendly, bounceable, test_only: testOnly } of asList(book).map(asRecord)) {
      const { address } = parseAddress(asText(raw));
      const flags = { bounceable: bounceable === true, testOnly: testOnly === true };
      expect(formatAddress(address, flags, "base64url")).toBe(friendly);
      expect(parseAddress(asText(friendly))).toEqual({ address, flags });
    }
  });

  it.each(listFiles(folder, "addresses", "v2-utils.json"))("are found and rejected like by the service: %s", (path) => {
    const recorded = asRecord(readJson(folder, path));
    const expected = asRecord(recorded.detectAddress_expected);
    for (const text of asList(recorded.detectAddress_accepts)) {
      const { address } = parseAddress(asText(text));
      expect(formatRawAddress(address)).toBe(expected.unpackAddress);
      expect(formatAddress(address, { bounceable: true, testOnly: false }, "base64")).toBe(expected.bounceable_b64);
      expect(formatAddress(address, { bounceable: false, testOnly: false }, "base64")).toBe(
        expected.non_bounceable_b64,
      );
    }
    for (const text of asList(asRecord(recorded.invalid_address).inputs))
      if (typeof text === "string") expect(findAddress(text)).toBeUndefined();
    for (const [text, status] of asList(recorded.detectHash).map(asList))
      expect([text, findHash(asText(text)) !== undefined]).toEqual([text, status === 200]);
  });

  it.each(listFiles(folder, "addresses", "msg-address-cells.json"))("are read from cells: %s", (path) => {
    for (const { cell_boc: boc, raw, anycast } of asList(asRecord(readJson(folder, path)).cases).map(asRecord)) {
      const cell = readRoot(Buffer.from(asText(boc), "base64"));
      const address = loadCell(internalAddress, cell);
      expect(formatRawAddress(plainAddress(address))).toBe(raw);
      expect(typeof address === "object").toBe(anycast === true);
      expect(storeCell(internalAddress, address).hash()).toBe(cell.hash());
    }
  });

  it.each(listFiles(folder, "addresses", "wallet-addresses.json"))("have both recorded forms: %s", (path) => {
    for (const { address, user_friendly: friendly } of asList(asRecord(readJson(folder, path)).cases).map(asRecord))
      expect(parseAddress(asText(friendly)).address).toBe(address);
  });
});
