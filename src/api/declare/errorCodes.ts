import type { CellErrorCode } from "../../cell/errors.ts";
import type { ChainErrorCode } from "../../chain/errors.ts";
import type { ContractErrorCode } from "../../contracts/errors.ts";
import type { HistoryErrorCode } from "../../history/errors.ts";
import type { LibErrorCode } from "../../lib/libErrors.ts";
import type { LiteErrorCode } from "../../lite/errors.ts";
import type { LocalnetErrorCode } from "../../localnet/errors.ts";
import type { ModelErrorCode } from "../../model/errors.ts";
import type { TvmErrorCode } from "../../tvm/errors.ts";
import type { ApiErrorCode } from "./errors.ts";

/** Every code that may come up from this room and those below it. */
export type AnyErrorCode =
  | ApiErrorCode
  | CellErrorCode
  | ChainErrorCode
  | ContractErrorCode
  | HistoryErrorCode
  | LibErrorCode
  | LiteErrorCode
  | LocalnetErrorCode
  | ModelErrorCode
  | TvmErrorCode;
