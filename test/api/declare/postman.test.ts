import { expect, it } from "vitest";
import { makePostmanCollection } from "../../../src/api/declare/postman.ts";
import { v2Api } from "../../../src/api/v2/envelope.ts";
import { v3Api } from "../../../src/api/v3/envelope.ts";

interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: {
    readonly method: string;
    readonly url: { readonly raw: string; readonly query?: readonly object[] };
  };
}

function listRequests(items: readonly Item[]): Item[] {
  return items.flatMap((each) => (each.item === undefined ? [each] : listRequests(each.item)));
}

it("has every operation of v2 and v3 once, at its address", () => {
  for (const requests of [
    { all: listRequests(makePostmanCollection(v2Api, "http://h:1").item as Item[]), endpoints: v2Api.endpoints },
    { all: listRequests(makePostmanCollection(v3Api, "http://h:1").item as Item[]), endpoints: v3Api.endpoints },
  ]) {
    const named = requests.all.map(({ name, request }) => [name, request?.url.raw]).sort();
    expect(named).toEqual(requests.endpoints.map(({ name }) => [name, `{{baseUrl}}/${name}`]).sort());
  }
});

it("disables optional parameters, enables required ones, and sends bodies for POST-only operations", () => {
  const { variable, item } = makePostmanCollection(v2Api, "http://h:1");
  const find = (name: string) => listRequests(item as Item[]).find((each) => each.name === name)?.request;
  expect(variable).toEqual([
    { key: "baseUrl", value: "http://h:1/api/v2" },
    { key: "apiKey", value: "" },
  ]);
  expect(find("getAddressBalance")?.url.query).toMatchObject([
    { key: "address", value: "", disabled: false },
    { key: "seqno", value: "", disabled: true },
  ]);
  expect(find("sendBoc")).toMatchObject({ method: "POST", body: { mode: "raw" } });
});
