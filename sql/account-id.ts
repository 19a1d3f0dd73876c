declare const owner: unique symbol;

/**
 * The id of an account that the caller can read: the first barrier between accounts. Only rows of `sql/keys.ts`
 * (authentication) and `sql/account.ts` (internal tokens) produce one, and every query of tenant-scoped data requires
 * one. A string from a request is never an AccountId.
 */
export type AccountId = string & { readonly [owner]: true };
