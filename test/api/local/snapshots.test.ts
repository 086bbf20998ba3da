import { expect, it } from "vitest";
import type { ApiVersion } from "../../../src/api/declare/ApiVersion.ts";
import { actonEndpoints } from "../../../src/api/local/acton.ts";
import type { LocalServices } from "../../../src/api/local/LocalServices.ts";
import { snapshotEndpoints } from "../../../src/api/local/snapshots.ts";
import { v2Api } from "../../../src/api/v2/envelope.ts";
import { openApiServer } from "../../kit/api/apiServer.ts";
import { deferred } from "../../kit/suite/deferred.ts";
import { ManualClock } from "../../kit/suite/ManualClock.ts";

type Snapshots = LocalServices["snapshots"];

const api: ApiVersion<LocalServices> = { ...v2Api, endpoints: [...snapshotEndpoints, ...actonEndpoints] };
const facts = { name: "tried", seqno: 9, chainTime: 8, madeAt: 7, bytes: 6 };

it.each([
  ["makeSnapshot", { name: "tried", mc_seqno: 9, gen_utime: 8, made_at: 7, bytes: 6 }],
  ["restoreSnapshot", { "@type": "localnet.restored", mc_seqno: 9 }],
  ["reset", { "@type": "localnet.restored", mc_seqno: 9 }],
  ["acton_restoreCheckpoint", { name: "tried", block_seqno: 9 }],
  ["acton_mine", { blocks_mined: 1, last_block_seqno: 9 }],
])(
  "%s of a long chain takes longer than other requests may, and its answer tells how it ended",
  async (name, result) => {
    const [clock, started, done] = [new ManualClock(), deferred(), deferred()];
    const after = async <T>(value: T): Promise<T> => {
      started.resolve();
      await done.promise;
      return value;
    };
    const snapshots = { make: () => after(facts), restore: () => after(9), reset: () => after(9) };
    const made = {
      snapshots: snapshots as Partial<Snapshots> as Snapshots,
      makeBlock: () => after({ seqno: 9, madeAt: 7 }),
    };
    const services = made as Partial<LocalServices> as LocalServices;
    const server = await openApiServer(api, services, { clock, deadlineMs: 700 });
    const body = JSON.stringify({ name: "tried" });
    const path = `/api/v2/${name}`;
    const asked = fetch(`${server.origin}${path}`, {
      method: "POST",
      body: name === "reset" || name === "acton_mine" ? "{}" : body,
    });
    await started.promise;
    await clock.advance(60_000);
    done.resolve();
    const answer = await asked;
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 200,
      body: { ok: true, result },
    });
    await server.close();
  },
);
