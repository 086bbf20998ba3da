import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeCorpusPart, listFiles, readJson, readJsonLinesGz } from "../../../kit/suite/corpus.ts";
import { openV2Server, type TestServer } from "../../kit/api/apiServer.ts";

interface Recorded {
  readonly id: number;
  readonly request: {
    readonly http: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: { readonly method?: string };
  };
  readonly status: number;
  readonly response: Readonly<Record<string, unknown>>;
}

const operations = new Set(["detectAddress", "detectHash", "packAddress", "unpackAddress"]);

function operationOf({ request: { path, body } }: Recorded): string {
  const last = path.split("/").at(-1) ?? "";
  return last === "jsonRPC" ? String(body?.method) : last;
}

/**
 * Our answer by the contract: reasons without the framework's prefix (D5), one text for all invalid addresses, and `id`
 * and `jsonrpc` echoed (D6). `@extra` holds the time.
 */
function asWeAnswer({ status, response }: Recorded): unknown {
  const error = String(response.error ?? "")
    .replace(/^failed to parse \w+ request: /, "")
    .replace(/^Failed to parse ton_addr: .*$/, "failed to parse address");
  return status === 200 ? { ...response, "@extra": "" } : { ...response, error, "@extra": "" };
}

let server: TestServer;
beforeAll(async () => {
  server = await openV2Server();
});
afterAll(() => server.close());

async function ask({ request: { http, path, query, body } }: Recorded): Promise<unknown> {
  const search = new URLSearchParams(query).toString();
  const init = body === undefined ? { method: http } : { method: http, body: JSON.stringify(body) };
  const response = await fetch(`${server.origin}${path}?${search}`, init);
  const { id, jsonrpc, ...answer } = Object(await response.json());
  return { status: response.status, response: { ...answer, "@extra": "" } };
}

describeCorpusPart("recorded requests that need no chain", "*/v2/cpp.jsonl.gz", (folder) => {
  for (const file of listFiles(folder, ".", "v2/cpp.jsonl.gz")) {
    describe(file, () => {
      const all = readJsonLinesGz(folder, file) as Recorded[];
      const records = all.filter((each) => operations.has(operationOf(each)));

      it.each(records)("$id is answered like by the reference", async (record) => {
        expect(await ask(record)).toEqual({ status: record.status, response: asWeAnswer(record) });
      });
    });
  }
});

describeCorpusPart("the reference's own cases of addresses", "addresses/v2-utils.json", (folder) => {
  it("give its statuses and values", async () => {
    const cases = Object(readJson(folder, "addresses/v2-utils.json"));
    const get = async (path: string) => {
      const response = await fetch(`${server.origin}/api/v2/${path}`);
      return { status: response.status, result: Object(await response.json()).result };
    };
    for (const address of cases.detectAddress_accepts) {
      const { result } = await get(`detectAddress?address=${address}`);
      expect(result.bounceable.b64url).toBe(cases.detectAddress_expected.bounceable_b64);
      expect(result.non_bounceable.b64url).toBe(cases.detectAddress_expected.non_bounceable_b64);
      expect((await get(`unpackAddress?address=${address}`)).result).toBe(cases.detectAddress_expected.unpackAddress);
    }
    for (const address of cases.invalid_address.inputs) {
      const query = address === null ? "" : `?address=${address}`;
      expect((await get(`detectAddress${query}`)).status).toBe(cases.invalid_address.http_status);
    }
    for (const [hash, status] of cases.detectHash)
      expect((await get(`detectHash?hash=${encodeURIComponent(hash)}`)).status).toBe(status);
  });
});
