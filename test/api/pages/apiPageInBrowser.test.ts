import { expect, it, onTestFinished } from "vitest";
import { openBrowser } from "../../../kit/suite/openBrowser.ts";
import { openV2Server } from "../../kit/api/apiServer.ts";
import { Visitor } from "../../kit/web/Visitor.ts";
import "../../kit/suite/longRun.ts";

it("shows every operation in a browser and sends a request, under its own policy and without other hosts", async () => {
  const server = await openV2Server();
  const origin = `http://127.0.0.1:${server.port}`;
  const browser = await openBrowser();
  onTestFinished(async () => {
    await browser.close();
    await server.close();
  });
  const { page, complaints } = await Visitor.open(browser, origin);
  await page.goto(`${origin}/api/v2/`);
  const operation = page.locator(".opblock").filter({ hasText: "/detectAddress" }).first();
  await operation.locator(".opblock-summary-control").waitFor();
  const document = await (await fetch(`${origin}/api/v2/openapi.json`)).json();
  const operations = Object.values(Object(document).paths).flatMap((path) => Object.keys(Object(path)));
  expect(await page.locator(".opblock").count()).toBe(operations.length);
  if ((await operation.getAttribute("class"))?.includes("is-open") !== true)
    await operation.locator(".opblock-summary-control").click();
  await operation
    .locator(".parameters input")
    .first()
    .fill(`0:${"11".repeat(32)}`);
  await operation.locator("button.execute").click();
  const answer = operation.locator(".live-responses-table .microlight").first();
  await answer.waitFor();
  expect(await answer.textContent()).toContain('"raw_form"');
  expect(await page.evaluate('document.querySelector("header img").naturalWidth > 0')).toBe(true);
  expect(complaints).toEqual([]);
});
