import { describe, expect, it } from "vitest";
import { findDocumentLink, parseDocumentLink } from "../../../src/history/metadata/documentUrl.ts";

const gateway = "https://gate.example/ipfs/";

describe("the link to a document", () => {
  it("is `url`, or else `uri`", () => {
    const links = [{ url: "a", uri: "b" }, { uri: "b" }, { url: "", uri: "b" }, { url: 5, uri: " " }, {}];
    expect(links.map(findDocumentLink)).toEqual(["a", "b", "b", undefined, undefined]);
  });

  it.each([
    ["https://example.org/a b.json", "https://example.org/a%20b.json", false],
    [" http://example.org ", "http://example.org/", false],
    ["ipfs://QmHash/1.json", "https://gate.example/ipfs/QmHash/1.json", true],
    ["IPFS://ipfs/bafyHash", "https://gate.example/ipfs/bafyHash", true],
    ["ipfs://QmHash/a/../b", "https://gate.example/ipfs/QmHash/b", true],
  ])("%s leads to %s", (link, href, isGateway) => {
    const place = parseDocumentLink(link, gateway);
    expect({ href: place.url.href, isGateway: place.isGateway }).toEqual({ href, isGateway });
  });

  it.each([
    ["ftp://example.org/x", "links of ftp: are not followed"],
    ["file:///etc/passwd", "links of file: are not followed"],
    ["data:application/json,{}", "links of data: are not followed"],
    ["tonstorage://abc", "links of tonstorage: are not followed"],
    ["example.org/x.json", '"example.org/x.json" is no link'],
    ["https://user:word@example.org", "a link with a name or password in it"],
    ["ipfs://QmHash/../../api/v0/id", "a path that leads out of its folder"],
    ["ipfs://QmHash/%2e%2e/other", "a path that leads out of its folder"],
    ["ipfs://../api", '".." is no content identifier'],
    [`https://example.org/${"x".repeat(5000)}`, "a link of 5020 characters"],
  ])("%s is refused", (link, message) => {
    expect(() => parseDocumentLink(link, gateway)).toThrow(
      expect.objectContaining({ code: "history/document", message }),
    );
  });
});
