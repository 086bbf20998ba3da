import { readFileSync } from "node:fs";

/** A line of `/proc/self/limits`: name, soft limit, hard limit, unit. */
const limitLine = /^Max open files\s+(\d+|unlimited)\s/m;

/** The limit of open files and sockets of this process; infinite if the system sets or reports none. */
export function getOpenFileLimit(): number {
  const [, soft] = limitLine.exec(readLimits()) ?? [];
  return soft === undefined || soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft);
}

/** Linux keeps them in a file. Node's report has them elsewhere, but it is slow to make. */
function readLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return reportedLimits();
  }
}

/** The used part of the report; on Windows the report lacks it, because there is no such limit. */
interface Report {
  readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } };
}

function reportedLimits(): string {
  const { userLimits } = process.report.getReport() as Report;
  return `Max open files ${userLimits?.open_files?.soft ?? "unlimited"} `;
}
