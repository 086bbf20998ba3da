import { crc32 } from "../../../lib/crc.ts";

/** The number of an action type where its name would make rows too wide: the checksum of the name. */
export function actionTypeCode(type: string): number {
  return crc32(Buffer.from(type)) | 0;
}
