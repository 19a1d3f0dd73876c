declare const owner: unique symbol;

/**
 * The id of an account whose data the asker may see.
 *
 * The first fence between accounts: nothing makes one but a row of `sql/keys.ts` (authentication) or
 * `sql/account.ts` (internal tokens), and every query of owned data asks for one. A string that came in
 * with a request is never one.
 */
export type AccountId = string & { readonly [owner]: true };
