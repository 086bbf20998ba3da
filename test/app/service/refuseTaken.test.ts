import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { checkPortsFree } from "../../../src/app/service/refuseTaken.ts";

describe("an address to listen on", () => {
  it("is refused while another process listens there, and stays free otherwise", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const found = other.address();
    const port = typeof found === "object" && found !== null ? found.port : 0;
    const address = { host: "127.0.0.1", port };
    await expect(checkPortsFree(address)).rejects.toMatchObject({
      code: "app/listen",
      message: expect.stringContaining(`cannot listen on 127.0.0.1:${port} (listen EADDRINUSE`),
    });
    other.close();
    await once(other, "close");
    await checkPortsFree(address);
    await checkPortsFree(address);
  });

  it("is refused if this machine does not have it", async () => {
    await expect(checkPortsFree({ host: "192.0.2.1", port: 0 })).rejects.toMatchObject({ code: "app/listen" });
  });
});
