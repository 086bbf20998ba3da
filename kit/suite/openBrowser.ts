import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";
import { onceARun } from "./onceARun.ts";

/**
 * No sandbox, because tests also run as root; no GPU, because to imitate one takes as much CPU time as everything else.
 */
const args = ["--no-sandbox", "--no-zygote", "--disable-dev-shm-usage", "--in-process-gpu", "--disable-gpu"];

/**
 * Chromium from an npm package; needs no system package. The package unpacks the program into the temporary folder that
 * all processes of a run share, and takes a half-written file for a complete one: only one process at a time may call
 * it.
 */
export async function openBrowser(): Promise<Browser> {
  await onceARun("chromium-unpacked", async () => void (await chromium.executablePath()));
  const executablePath = await chromium.executablePath();
  // It starts in a second; a busy machine may need a hundred times as long.
  return playwright.launch({ executablePath, args, headless: true, timeout: 300_000 });
}
