const maxLength = 72;

/** Commits that git words itself. */
const ofGit = /^(?:Merge|Revert) /;

/** What is wrong with the subject of a commit; undefined when it has the form `room: what it does now`. */
export function findSubjectFault(subject: string): string | undefined {
  if (ofGit.test(subject)) return undefined;
  if (subject.length > maxLength) return `the subject has ${subject.length} characters (limit ${maxLength})`;
  if (!/^[a-z][\w./-]*: \S/.test(subject)) return "the subject has no form `room: what it does now`";
  if (subject.endsWith(".")) return "the subject ends with a full stop";
  return undefined;
}
