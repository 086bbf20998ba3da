import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nftCollections } from "../../../src/history/entities/nftCollections.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import { readMetadata } from "../../../src/history/queries/metadata.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import * as serviceTables from "../../../src/history/store/schema/serviceTables.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { bareState, sameDigits } from "../../kit/api/v3/v3Stage.ts";
import { enginesOfTables, openFresh } from "../../kit/history/database.ts";
import { loadRows } from "../../kit/history/loadRows.ts";

const [bad, plain] = [makeAddress(0, sameDigits("1")), makeAddress(0, sameDigits("2"))];
const images = {
  _image_small: "s",
  _image_small_blur: "blurred s",
  _image_medium: "m",
  _image_big_blur: "blurred b",
  level: "7",
};

describe.each(enginesOfTables)("the operator's flags of tokens, on %s", (engine) => {
  let database: Database;

  beforeAll(async () => {
    database = await openFresh(engine);
    const fetched = { updatedAt: 1, expiresAt: undefined, attempts: 0, nextAttemptAt: undefined };
    const texts = { name: "n", symbol: undefined, description: undefined, image: undefined };
    const tokens = [bad, plain];
    await database.write(async (session) => {
      const collections = tokens.map((address, at) => ({
        ...{ ...bareState, address, id: BigInt(at), nextItemIndex: 1n, ownerAddress: undefined },
        collectionContent: undefined,
      }));
      await loadRows(session, nftCollections, collections);
      const type = "nft_collections" as const;
      const documents = tokens.map((address) => ({ address, type, valid: true, ...texts, ...fetched, extra: images }));
      await loadRows(session, serviceTables.addressMetadata, documents);
    });
  });

  afterAll(() => database?.close());

  async function shown() {
    const found = await new History(contractHistory, { database }).read({}, (reading) =>
      readMetadata(reading, [bad, plain]),
    );
    return [bad, plain].map((token) => {
      const info = found.get(token)?.tokens[0];
      return [info?.isNsfw, info?.isScam, info?.extra];
    });
  }

  const usual = { _image_small: "s", _image_medium: "m", level: "7" };

  it("are absent without a list, and false for tokens that are not on it", async () => {
    expect(await shown()).toEqual([
      [undefined, undefined, usual],
      [undefined, undefined, usual],
    ]);
    await database.write((session) =>
      loadRows(session, serviceTables.addressMetadataFlags, [{ address: bad, isNsfw: true, isScam: false }]),
    );
    expect(await shown()).toEqual([
      [true, false, { _image_small: "blurred s", _image_medium: "", level: "7" }],
      [false, false, usual],
    ]);
  });
});
