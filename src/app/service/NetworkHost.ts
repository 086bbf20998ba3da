import { ApiError } from "../../api/declare/errors.ts";
import type { Server } from "../../api/http/server/server.ts";
import type { Log } from "../../lib/log.ts";
import { AppError } from "../errors.ts";
import type { NetworkPlan } from "../NetworkPlan.ts";
import type { Hosted } from "./openHosted.ts";
import type { Change, OpenNetwork, Reopen } from "./parts/OpenNetwork.ts";

/** A served network that can be reopened with other data while its server listens. */
export class NetworkHost {
  readonly listen: NetworkPlan["listen"];
  readonly #log: Log;
  readonly #open: () => Promise<Hosted>;
  #hosted: Hosted | undefined;
  #listener: { readonly server: Server; readonly at: number } | undefined;
  #isReopening = false;

  constructor(listen: NetworkPlan["listen"], log: Log, open: (reopen: Reopen) => Promise<Hosted>) {
    this.listen = listen;
    this.#log = log;
    this.#open = () => open((change) => this.#reopen(change));
  }

  get hosted(): Hosted {
    if (this.#hosted === undefined) throw new AppError("app/listen", "the network is not open");
    return this.#hosted;
  }

  async open(): Promise<void> {
    this.#hosted = await this.#open();
  }

  /** Its server, and its index among the networks of that server. */
  listens(server: Server, at: number): void {
    this.#listener = { server, at };
    this.hosted.listensOn(server.port);
  }

  async close(): Promise<void> {
    await this.#hosted?.close();
  }

  async #reopen(change: () => Promise<Change>): Promise<OpenNetwork> {
    if (this.#listener === undefined || this.#isReopening)
      throw new ApiError("api/unready", "the network is starting; try again in a moment");
    this.#isReopening = true;
    const { server, at } = this.#listener;
    const { name } = this.hosted.network;
    try {
      await server.hold(at, new ApiError("api/unready", `${name} is restarting; try again in a moment`));
      await this.hosted.close();
      const failure = await this.#openChanged(change);
      this.hosted.listensOn(server.port);
      await server.replace(at, this.hosted);
      const { network } = this.hosted;
      void network.prepare?.();
      if (failure !== undefined) throw failure.error;
      return network;
    } finally {
      this.#isReopening = false;
    }
  }

  /** Opens it with the changed data, or as before if that fails; returns the failure then. */
  async #openChanged(change: () => Promise<Change>): Promise<{ readonly error: unknown } | undefined> {
    let made: Change | undefined;
    try {
      made = await change();
      this.#hosted = await this.#open();
      return undefined;
    } catch (error) {
      this.#log.error("the changed network cannot be opened; the change is reverted", { error });
      await made?.undo();
      this.#hosted = await this.#open();
      return { error };
    }
  }
}
