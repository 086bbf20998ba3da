import { errorClass, libErrorCodes, type RoomCode } from "./errors.ts";

/** An error of `lib`. */
export class LibError<Code extends RoomCode<"lib"> = RoomCode<"lib">> extends errorClass(libErrorCodes)<Code> {}
