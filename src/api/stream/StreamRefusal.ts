import { ApiError } from "../declare/errors.ts";

/** A request to a stream that is refused, in the words of the contract, with the status it has over HTTP. */
export class StreamRefusal extends ApiError<"api/stream"> {
  readonly status: number;

  constructor(status: number, text: string) {
    super("api/stream", text);
    this.status = status;
  }
}
