import { expect, it } from "vitest";
import { Documents } from "../../../src/api/pages/documents.ts";

const documents = new Documents();
const names = await documents.names();
const pages = new Map(await Promise.all(names.map(async (name) => [name, await getPage(name)] as const)));

async function getPage(name: string): Promise<string> {
  return (await documents.findPage(name)) ?? "";
}

it("starts with the guide for newcomers and has every document as a page", async () => {
  expect(names[0]).toBe("start");
  expect(names).toEqual(expect.arrayContaining(["mainnet", "errors", "proofs", "sizing", "migrating", "operating"]));
  expect(await documents.findPage("nothing")).toBeUndefined();
});

it.each([...names])("links from %s only to existing pages, anchors and operations", (name) => {
  const page = pages.get(name) ?? "";
  const ids = new Map(
    [...pages].map(([each, html]) => [each, [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)]),
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
