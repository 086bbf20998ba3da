import { expect, it } from "vitest";
import { Documents } from "../../../src/api/pages/documents.ts";

const documents = new Documents();

it("starts with the guide for newcomers and has every document as a page", () => {
  expect(documents.names[0]).toBe("start");
  expect(documents.names).toEqual(
    expect.arrayContaining(["mainnet", "errors", "proofs", "sizing", "migrating", "operating"]),
  );
  expect(documents.findPage("nothing")).toBeUndefined();
});

it.each([...documents.names])("links from %s only to existing pages, anchors and operations", (name) => {
  const page = documents.findPage(name) ?? "";
  const ids = new Map(
    documents.names.map((each) => [
      each,
      [...(documents.findPage(each) ?? "").matchAll(/ id="([^"]+)"/g)].map(([, id]) => id),
    ]),
  );
  const hrefs = [...page.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => href);
  const broken = hrefs
    .filter((href) => !href.startsWith("data:") && !/^https?:/.test(href) && href !== "/")
    .filter((href) => {
      const [path = "", anchor] = href.split("#");
      const target = path === "" ? name : path.replace(/^\/docs\//, "");
      return !ids.has(target) || (anchor !== undefined && ids.get(target)?.includes(anchor) !== true);
    });
  expect(broken).toEqual([]);
});
