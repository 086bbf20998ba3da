import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../../kit/suite/openBrowser.ts";
import { type StartedService, startService } from "../kit/app/startedService.ts";
import { repeats, someOf } from "../kit/suite/everything.ts";
import { buildExplorer } from "../kit/web/buildExplorer.ts";
import { until } from "../kit/web/localActs.ts";
import { Visitor } from "../kit/web/Visitor.ts";
import "../kit/suite/longRun.ts";

type Json = Readonly<Record<string, unknown>>;

/** An operation that is not open so long after a click was not clicked. */
const clickedMs = 2_000;
const bases = ["/api/v2", "/api/v3", "/api/v4", "/api/emulate/v1", "/localnet"];
let browser: Browser;
let service: StartedService;

beforeAll(async () => {
  await buildExplorer();
  [browser, service] = await Promise.all([openBrowser(), startService({ engine: "postgres" })]);
  const burns = "/api/v3/actions?action_type=jetton_burn&limit=1";
  await until(async () => (Object(await ask(burns)).actions?.length ?? 0) > 0);
});

afterAll(async () => {
  await browser?.close();
  await service?.close();
});

async function ask(path: string): Promise<unknown> {
  return (await fetch(`${service.origin}${path}`)).json();
}

async function post(path: string, body: unknown): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  return (await fetch(`${service.origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

/** Sends to an account, so that it has a pending transaction until the next block. */
async function sendTo(to: string): Promise<void> {
  const { result: wallets } = Object(await ask("/localnet/wallets"));
  const { result } = Object(await post("/localnet/signTransfer", { from: wallets[2].address, to, amount: "0.01" }));
  await post("/api/v3/message", { boc: result?.boc });
}

interface Operation {
  readonly name: string;
  readonly tag: string;
  /** Of each path with several methods one of them is tried, in turn. */
  readonly isTried: boolean;
}

/** The operations that a page has by its document. */
async function listOperations(base: string): Promise<Operation[]> {
  const { paths } = Object(await ask(`${base}/openapi.json`));
  const items = Object.entries(Object(paths) as Readonly<Record<string, Readonly<Record<string, Json>>>>);
  return items.flatMap(([path, item], place) =>
    Object.entries(item).map(([method, { tags }], at, all) => ({
      name: `${method.toUpperCase()} ${path}`,
      tag: (tags as readonly string[])[0] ?? "",
      isTried: at === place % all.length,
    })),
  );
}

async function nameOf(operation: Locator): Promise<string> {
  const [method, path] = await Promise.all([
    operation.locator(".opblock-summary-method").innerText(),
    operation.locator(".opblock-summary-path").innerText(),
  ]);
  return `${method} ${path.replace(/[\s\u200b]/g, "")}`;
}

/** Opens an operation. The page may draw it again while it is clicked: then the click is lost. */
async function open(operation: Locator): Promise<void> {
  const button = operation.locator("button.execute");
  const isReady = async () => {
    const isOpen = (await operation.getAttribute("class"))?.includes("is-open") === true;
    if (!isOpen) await operation.locator(".opblock-summary-control").click();
    await button.waitFor({ timeout: clickedMs }).catch(() => undefined);
    return button.isVisible();
  };
  await expect.poll(isReady).toBe(true);
}

/** Executes an open operation with what is in its fields, and gives the status of the answer. */
async function execute(operation: Locator): Promise<string> {
  await operation.locator("button.execute").click();
  const status = operation.locator(".live-responses-table .response .response-col_status").first();
  await status.waitFor();
  return (await status.innerText()).trim().slice(0, 3);
}

/** The part of the page with the operations of a tag. */
function sectionOf(page: Page, tag: string): Locator {
  return page.locator(".opblock-tag-section").filter({ has: page.locator(`[data-tag="${tag}"]`) });
}

/** How many operations of a tag are executed; `apiPage.test.ts` executes all of them without a browser. */
const eachTag = repeats({ usual: 1, all: Number.POSITIVE_INFINITY });

const triedOf = (ofTag: readonly Operation[]) => ofTag.filter(({ isTried }) => isTried).slice(0, eachTag);

/** The tags of a page that are tried: few in the ordinary run, because Swagger UI treats all in the same way. */
const tagsOf = (operations: readonly Operation[]): readonly string[] =>
  someOf([...new Set(operations.map((each) => each.tag))], (_, at) => at % 8 === 0);

/**
 * Executes operations of a tag, which the filter leaves on the page, and lists their names and statuses. The fields of
 * the first one fit the page.
 */
async function executeTag(visitor: Visitor, ofTag: readonly Operation[]): Promise<string[]> {
  const { page } = visitor;
  const tag = ofTag[0]?.tag ?? "";
  const names = new Set(triedOf(ofTag).map(({ name }) => name));
  await page.locator(".operation-filter-input").fill(tag);
  // Some tags are parts of the names of others.
  await expect.poll(() => page.locator(".opblock-tag-section").count()).toBeLessThanOrEqual(2);
  const operations = sectionOf(page, tag).locator(".opblock");
  // The page draws them one after the other.
  await expect.poll(() => operations.count()).toBe(ofTag.length);
  const done: string[] = [];
  for (const operation of await operations.all()) {
    const name = await nameOf(operation);
    if (!names.has(name)) continue;
    await open(operation);
    if (done.length === 0) expect([tag, await visitor.excessWidth()]).toEqual([tag, 0]);
    let status = await execute(operation);
    for (let tries = 0; name === "GET /pendingTransactions" && status === "404" && tries < 60; tries++) {
      if (tries % 3 === 0) await sendTo(await operation.locator(".parameters input").first().inputValue());
      status = await execute(operation);
    }
    done.push(`${name}: ${status}`);
    await operation.locator(".opblock-summary-control").click();
  }
  return done;
}

/** The pages whose operations have arguments in the query, in the path and in the body. */
const tried = someOf(bases, (base) => ["/api/v3", "/api/v4", "/localnet"].includes(base));

describe("the API pages", () => {
  it.each(tried)("fit a phone with fields of every kind, and execute the values in them: %s", async (base) => {
    const visitor = await Visitor.open(browser, service.origin, { viewport: { width: 360, height: 740 } });
    const { page } = visitor;
    await page.goto(`${service.origin}${base}/`);
    await page.locator(".opblock").first().waitFor();
    expect([base, await visitor.excessWidth()]).toEqual([base, 0]);
    const operations = await listOperations(base);
    const done: string[] = [];
    const expected: string[] = [];
    for (const tag of tagsOf(operations)) {
      const ofTag = operations.filter((each) => each.tag === tag);
      expected.push(...triedOf(ofTag).map(({ name }) => `${name}: 200`));
      done.push(...(await executeTag(visitor, ofTag)));
    }
    expect(done.toSorted()).toEqual(expected.toSorted());
    // Nothing is pending on an idle network: that request is repeated.
    expect(visitor.complaints.filter((each) => !each.includes("404"))).toEqual([]);
    await visitor.close();
  });
});
