import axe from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** A browser page, and the errors it reports. */
export class Visitor {
  readonly page: Page;
  /** Console errors, script failures and requests to other hosts; must stay empty. */
  readonly complaints: string[] = [];
  readonly #origin: string;

  private constructor(page: Page, origin: string) {
    this.page = page;
    this.#origin = origin;
  }

  static async open(browser: Browser, origin: string, options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const visitor = new Visitor(await context.newPage(), origin);
    const { page, complaints } = visitor;
    // A busy machine may be ten times slower than an idle one.
    page.setDefaultTimeout(120_000);
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(`console: ${message.text()} (${page.url()})`);
    });
    page.on("pageerror", (error) => complaints.push(`script: ${error.message} (${page.url()})`));
    page.on("dialog", (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith("data:"))
        complaints.push(`request leaves the host: ${request.url()}`);
    });
    return visitor;
  }

  /** Loads a page of the explorer. */
  async open(path: string): Promise<void> {
    await this.page.goto(`${this.#origin}/explorer${path}`);
    await this.waitUntilIdle();
  }

  /** Navigates inside the explorer like a link, without a reload. */
  async go(path: string): Promise<void> {
    await this.page.evaluate(
      `history.pushState(null, "", ${JSON.stringify(`/explorer${path}`)}); dispatchEvent(new PopStateEvent("popstate"));`,
    );
    await this.waitUntilIdle();
  }

  /** Waits until all requested data is shown. */
  async waitUntilIdle(): Promise<void> {
    await this.page.waitForSelector("main h1");
    await this.page.waitForSelector(".loading", { state: "detached" });
  }

  /** The visible text of the page. */
  text(): Promise<string> {
    return this.page.innerText("main");
  }

  /** How much wider the page is than the window. */
  async excessWidth(): Promise<number> {
    return Number(await this.page.evaluate("document.documentElement.scrollWidth - innerWidth"));
  }

  /** Serious and critical accessibility violations found by axe. */
  async findBarriers(): Promise<string[]> {
    if (await this.page.evaluate("window.axe === undefined")) await this.page.evaluate(axe.source);
    const runOnly = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];
    const options = { runOnly, resultTypes: ["violations"], selectors: false };
    const { violations } = (await this.page.evaluate(
      `axe.run(document, ${JSON.stringify(options)})`,
    )) as axe.AxeResults;
    const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    return grave.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${id}: ${html.slice(0, 160)} (${this.page.url()})`),
    );
  }

  async close(): Promise<void> {
    await this.page.unrouteAll({ behavior: "ignoreErrors" });
    await this.page.context().close();
  }
}
