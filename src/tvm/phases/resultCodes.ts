/** Result codes of the action phase. */
export const ResultCode = {
  ...{ listInvalid: 32, tooManyActions: 33, invalid: 34 },
  ...{ badSource: 35, badDestination: 36, noFunds: 37, noExtraFunds: 38, doesNotFit: 39, tooLarge: 40 },
  ...{ libraryNotFound: 41, brokenLibraries: 42, libraryTooLarge: 43, tooManyCurrencies: 44, badFlags: 45 },
  ...{ libraryNotAllowed: 46, tooMuchOutput: 47, stateTooLarge: 50 },
} as const;
