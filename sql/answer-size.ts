/** Bytes of an answer's body, in UTF-8: a list of records ends before the one that would make it longer. */
export const LONGEST_ANSWER = 32 * 1024 * 1024;
