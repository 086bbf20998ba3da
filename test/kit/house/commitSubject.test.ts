import { expect, it } from "vitest";
import { findSubjectFault } from "./commitSubject.ts";

it.each([
  ["history: write shared rows last", undefined],
  ["test/kit: measure an attacked process from inside", undefined],
  ["Merge branch 'sockets'", undefined],
  ["Writes shared rows last", "the subject has no form `room: what it does now`"],
  ["history:", "the subject has no form `room: what it does now`"],
  ["history: write shared rows last.", "the subject ends with a full stop"],
  [`history: ${"a".repeat(64)}`, "the subject has 73 characters (limit 72)"],
])("judges the subject %j", (subject, fault) => {
  expect(findSubjectFault(subject)).toBe(fault);
});
