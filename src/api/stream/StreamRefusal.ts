import { ApiError } from "../declare/errors.ts";

/** A rejected stream request, with the text of the contract and its HTTP status. */
export class StreamRefusal extends ApiError<"api/stream"> {
  readonly status: number;

  constructor(status: number, text: string) {
    super("api/stream", text);
    this.status = status;
  }
}
