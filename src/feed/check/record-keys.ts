import { identifier } from './checks.ts';

/** The field of everything that belongs to an account. */
export const ofAccount = { accountId: identifier };

/** The key of what an account has one of. */
export const oneAnAccount = { key: ['accountId'], keyColumns: ['account_id'] } as const;

/** The key of what is known by an id within its account. */
export const byId = { key: ['accountId', 'id'], keyColumns: ['account_id', 'id'] } as const;
