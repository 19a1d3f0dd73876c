/** The part of a request's context that writing reads. */
export interface Context {
  /** It is told the length of the text so far, and may throw. */
  budget?: { check(length: number): void } | undefined;
}
