import { bookOf, metadataOf } from "../../../kit/api/v3/tokenAnswers.ts";
import { raw, sameDigits } from "../../../kit/api/v3/v3Stage.ts";
import { auctioned, bidder, cats } from "../../../kit/history/tokenRows.ts";
import { catShown } from "./nfts.ts";
import { type GivenArgs, gives, lists, refuses, type V3Case } from "./V3Case.ts";

const cursorAt = (end: number | bigint, item: string) =>
  Buffer.from(`${String(end).padStart(20, "0")}:${item}`).toString("base64url");
const nobody = `0:${sameDigits("7")}`;

const won = {
  nft_item_address: raw(auctioned.won),
  domain: "won.ton",
  max_bid_address: raw(bidder),
  max_bid_amount: String(10n ** 30n),
  auction_end_time: "1600000000",
  last_fill_up_time: "1580000000",
  finished: true,
};
const wonToo = { ...won, nft_item_address: raw(auctioned.wonToo), domain: "won-too.ton", max_bid_amount: "5" };
const open = {
  ...{ ...won, nft_item_address: raw(auctioned.open), domain: "open.ton", max_bid_amount: "5" },
  ...{ auction_end_time: "9000000000", last_fill_up_time: null, finished: false },
};

const listAuctions = (note: string, args: GivenArgs, ...items: readonly string[]) =>
  lists(note, { bidder, ...args }, "auctions", "domain", () => items);
const refusesAfter = (note: string, after: string) => refuses(note, { bidder, after }, 422, "invalid after cursor");

/** Cases of requests about auctions of domains. */
export const auctionCases = {
  "dns/activeAuctions": [
    gives(
      "all auctions of a bidder, the earliest end first",
      { bidder },
      {
        auctions: [wonToo, won, open],
        address_book: bookOf(auctioned.won, auctioned.wonToo, auctioned.open, bidder),
        metadata: metadataOf(auctioned.won),
        next_cursor: null,
      },
    ),
    gives(
      "auctions that ended, with the items that are indexed",
      { bidder, state: "won", include_nft_items: "true", sort: "desc" },
      {
        auctions: [wonToo, { ...won, nft_item: catShown }],
        address_book: bookOf(auctioned.won, auctioned.wonToo, bidder),
        metadata: metadataOf(auctioned.won, cats),
        next_cursor: null,
      },
    ),
    gives(
      "a full page with its cursor",
      { bidder, limit: 1, x_no_address_book: "1", x_no_metadata: "1" },
      {
        auctions: [wonToo],
        address_book: {},
        metadata: {},
        next_cursor: cursorAt(1_600_000_000, raw(auctioned.wonToo)),
      },
    ),
    listAuctions("auctions that still run", { state: "bidding" }, "open.ton"),
    listAuctions("any state when it is empty", { state: "" }, "won-too.ton", "won.ton", "open.ton"),
    listAuctions("a part by offset", { limit: 1, offset: 1 }, "won.ton"),
    listAuctions("behind a cursor", { after: cursorAt(1_600_000_000, raw(auctioned.wonToo)) }, "won.ton", "open.ton"),
    listAuctions(
      "behind a cursor of a later second",
      { after: cursorAt(1_600_000_001, raw(auctioned.wonToo)) },
      "open.ton",
    ),
    listAuctions("with an offset of zero and a cursor", { offset: 0, after: cursorAt(2n ** 63n - 1n, nobody) }),
    gives("nothing", { bidder: nobody }, { auctions: [], address_book: {}, metadata: {}, next_cursor: null }),
    refuses("no bidder", { state: "lost" }, 422, "bidder address is required"),
    refuses("a bidder that is no address", { bidder: "alice" }, 422, 'schema: error converting value for "bidder"'),
    refuses("an unknown state", { bidder, state: "lost" }, 422, "state must be one of: all, won, bidding"),
    refuses(
      "a cursor and an offset, before it reads the cursor",
      { bidder, after: "x", offset: 1 },
      422,
      "use either after or offset, not both",
    ),
    refusesAfter("a short cursor", Buffer.from(`${"0".repeat(20)}:`).toString("base64url")),
    refusesAfter("a cursor without digits", cursorAt(0, nobody).replace("MDAw", "eHh4")),
    refusesAfter("a cursor of another encoding", "!!!"),
    refusesAfter("a cursor with a time beyond 64 bits", cursorAt(2n ** 63n, nobody)),
    refusesAfter("a cursor without an address", cursorAt(5, "0:abc")),
    refuses("a limit above the largest", { bidder, limit: 1001 }, 422, "limit is not allowed: 1001 > 1000"),
    refuses("a limit that is no number", { bidder, limit: "x" }, 422, 'schema: error converting value for "limit"'),
  ],
} satisfies Readonly<Record<string, readonly V3Case[]>>;
