import { describe, expect, it } from "vitest";
import { learn } from "../../web/api/book.ts";
import { titleOf } from "../../web/app/titleOf.ts";
import { findRoute } from "../../web/browser/routes.ts";

const address = "EQBNdJ-XDPVhqRa0kHl_2L1cbVkIKfG1V8K4hUmaMGJdzIi0";
const raw = "0:4D749F970CF561A916B490797FD8BD5C6D590829F1B557C2B885499A30625DCC";
const hash = "5b8ae31e48751e89b6f38cfe7b961133731f7317a4f3a656441c77064ce47c21";

describe("the title of a page", () => {
  it.each([
    ["/", "Tongate explorer"],
    [`/address/${address}`, "Account EQBNdJ…zIi0 · Tongate explorer"],
    [`/tx/${hash}`, "Transaction 5b8ae31e…e47c21 · Tongate explorer"],
    [`/trace/${hash}`, "Trace 5b8ae31e…e47c21 · Tongate explorer"],
    ["/block/-1/8000000000000000/1234", "Block 1 234 · Tongate explorer"],
    ["/block/0/8000000000000000/12", "Shard block 12 · Tongate explorer"],
    ["/config", "Configuration · Tongate explorer"],
    ["/config/7", "Configuration 7 · Tongate explorer"],
    ["/list/accounts", "List of accounts · Tongate explorer"],
    ["/status", "Status · Tongate explorer"],
    ["/nothing/here", "No such page · Tongate explorer"],
  ])("%s says what it shows: %s", (path, title) => {
    expect(titleOf(findRoute(path), new URLSearchParams())).toBe(title);
  });

  it("has the searched text and the name of an account", () => {
    expect(titleOf(findRoute("/search"), new URLSearchParams({ q: "lunch" }))).toBe(
      "Search for lunch · Tongate explorer",
    );
    learn({ address_book: { [raw]: { user_friendly: address, domain: "alice.ton", interfaces: [] } } });
    expect(titleOf(findRoute(`/address/${address}`), new URLSearchParams())).toBe(
      "Account alice.ton · Tongate explorer",
    );
  });
});
