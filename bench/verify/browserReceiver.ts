import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openBrowser } from "../../kit/suite/openBrowser.ts";
import type { ConfigBlock } from "../../src/api/client/verify/TrustOptions.ts";

interface BuiltFile {
  readonly fileName: string;
  readonly code: string;
}

/** A page that checks answers. */
export interface BrowserReceiver {
  /** Milliseconds of one check of the text of an answer, when its head is known. */
  measure(call: { readonly name: string; readonly args: object; readonly answer: string }): Promise<number>;
}

const rounds = 60;

/**
 * Runs in the page: the median time of a check, from the text of the answer to the proved result. Its clock stands
 * still.
 */
const measureInPage = (input: object) => `(async ({ entry, init, nowMs, name, args, answer, rounds }) => {
  const { openChecks } = await import(entry);
  Date.now = () => nowMs;
  let text = JSON.stringify({ ok: true, result: { init } });
  window.fetch = async () => new Response(text);
  const { client } = await openChecks("/api/v2", () => {});
  text = answer;
  const times = [];
  for (let i = 0; i < rounds; i++) {
    const startedMs = performance.now();
    await client[name](args);
    times.push(performance.now() - startedMs);
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)];
})(${JSON.stringify(input)})`;

/** The files of the explorer's checks, or of a client, as the build makes them; the first one is where they begin. */
export async function bundleChecks(entry?: string): Promise<readonly BuiltFile[]> {
  const scripts = (await import(pathToFileURL(join(process.cwd(), "scripts/bundle.mjs")).href)) as {
    bundleChecks(entry?: string): Promise<readonly BuiltFile[]>;
  };
  return scripts.bundleChecks(entry);
}

/** Makes the checks of the explorer ready for pages; `init` is the zero state of the network. */
export async function openBrowserReceiver(init: ConfigBlock, nowMs: number): Promise<BrowserReceiver> {
  const files = new Map((await bundleChecks()).map(({ fileName, code }) => [`/${fileName}`, code]));
  const [entry = ""] = files.keys();
  return {
    measure: async (call) => {
      const host = createServer(({ url = "" }, response) => {
        const code = files.get(url);
        const type = code === undefined ? "text/html" : "text/javascript";
        response.writeHead(200, { "content-type": type }).end(code ?? "");
      });
      await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
      const browser = await openBrowser();
      try {
        const page = await browser.newPage();
        await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
        return Number(await page.evaluate(measureInPage({ entry, init, nowMs, rounds, ...call })));
      } finally {
        await browser.close();
        host.close().closeAllConnections();
      }
    },
  };
}
