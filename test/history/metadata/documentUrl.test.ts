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
    const location = parseDocumentLink(link, gateway);
    expect({ href: location.url.href, isGateway: location.isGateway }).toEqual({ href, isGateway });
  });

  it.each([
    ["ftp://example.org/x", "ftp: links are not supported"],
    ["file:///etc/passwd", "file: links are not supported"],
    ["data:application/json,{}", "data: links are not supported"],
    ["tonstorage://abc", "tonstorage: links are not supported"],
    ["example.org/x.json", '"example.org/x.json" is not a URL'],
    ["https://user:word@example.org", "the URL contains credentials"],
    ["ipfs://QmHash/../../api/v0/id", "the path leaves its folder"],
    ["ipfs://QmHash/%2e%2e/other", "the path leaves its folder"],
    ["ipfs://QmHash/..%2f..%2fx", "the path contains an encoded slash, backslash or dot segment"],
    ["ipfs://QmHash/..%2Fx", "the path contains an encoded slash, backslash or dot segment"],
    ["ipfs://QmHash/a%5c..%5c..%5cx", "the path contains an encoded slash, backslash or dot segment"],
    ["ipfs://QmHash/..%252f..%252fx", "the path contains an encoded slash, backslash or dot segment"],
    ["ipfs://QmHash/%252e%252E/x", "the path contains an encoded slash, backslash or dot segment"],
    ["ipfs://QmHash/a%2525252fx", "the path contains an encoded slash, backslash or dot segment"],
    ["ipfs://QmHash/a%00", "the path contains an encoded slash, backslash or dot segment"],
    ["ipfs://../api", '".." is not a content identifier'],
    [`https://example.org/${"x".repeat(5000)}`, "a link of 5020 characters"],
  ])("%s is refused", (link, message) => {
    expect(() => parseDocumentLink(link, gateway)).toThrow(
      expect.objectContaining({ code: "history/document", message }),
    );
  });
});
