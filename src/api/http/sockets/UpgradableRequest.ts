import { IncomingMessage } from "node:http";

/** Whether a request becomes something else than HTTP. */
export type MayUpgrade = (request: IncomingMessage) => boolean;

/**
 * Requests that offer another protocol. Once a server has a listener for upgrades, Node passes all offers to it, also
 * those that this server does not know (`h2c` of Java's client and of curl), which a server is to ignore (RFC 9110,
 * 7.8). Node reads `upgrade` when it has parsed the head: false makes it an ordinary request, with its body. Node 24
 * has an option for that, `shouldUpgradeCallback`; this class can go with the last version that has none.
 */
export function upgradableRequest(mayUpgrade: MayUpgrade): typeof IncomingMessage {
  return class extends IncomingMessage {
    /** Whether the parser found an offer; unset before the head is parsed. */
    offersUpgrade: boolean | null = false;

    get upgrade(): boolean {
      if (this.offersUpgrade !== true) return false;
      // The bytes after a CONNECT are not HTTP, and Node ends its connection.
      return this.method === "CONNECT" || mayUpgrade(this);
    }

    set upgrade(offers: boolean | null) {
      this.offersUpgrade = offers;
    }
  };
}
