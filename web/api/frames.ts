/** One frame of server-sent events; missing fields are empty. */
export interface Frame {
  readonly event: string;
  readonly data: string;
  readonly id: string;
}

/** Splits a stream of text into frames of server-sent events. */
export class FrameReader {
  readonly #onFrame: (frame: Frame) => void;
  #rest = "";

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  push(text: string): void {
    const held = this.#rest + text;
    // A chunk may end between CR and LF.
    const whole = held.endsWith("\r") ? held.slice(0, -1) : held;
    const frames = whole.replaceAll("\r\n", "\n").split("\n\n");
    this.#rest = (frames.pop() ?? "") + held.slice(whole.length);
    for (const frame of frames) this.#onFrame(readFrame(frame));
  }
}

function readFrame(text: string): Frame {
  const found = { event: "", data: "", id: "" };
  for (const line of text.split("\n")) {
    const match = /^(event|data|id):\s?(.*)$/.exec(line);
    if (match === null) continue;
    const [, name = "", value = ""] = match;
    if (name === "data" && found.data !== "") found.data += `\n${value}`;
    else if (name === "event" || name === "data" || name === "id") found[name] = value;
  }
  return found;
}
