/** Why a connection is closed, by the codes of WebSockets; other transports just end. */
export const closeCodes = {
  normal: 1000,
  goingAway: 1001,
  notJson: 1003,
  policy: 1008,
  tooLarge: 1009,
  internal: 1011,
  slow: 1013,
} as const;

/** The connection to one client. Sending never waits: bytes that the client has not taken are counted. */
export interface Transport {
  /** Sends one event or answer; `cursor` is the place it moves the client to. */
  send(json: string, cursor: string | undefined): void;
  /** Shows that the connection lives; `cursor` moves the client on without an event. */
  keepAlive(cursor: string | undefined): void;
  /** Bytes that the client has not taken yet. */
  readonly waitingBytes: number;
  /** Whether more should wait until `onDrain` reports. */
  readonly needsDrain: boolean;
  /** Calls the listener once, when the client has taken everything; only while `needsDrain`. */
  onDrain(listener: () => void): void;
  close(code: number, reason: string): void;
  /** Ends it at once. */
  destroy(): void;
}
