import { identifier } from './checks.ts';

/** The field of everything that belongs to an account. */
export const ofAccount = { accountId: identifier };

/** The key of a record that an account has once. */
export const oneAnAccount = { key: ['accountId'], keyColumns: ['account_id'] } as const;

/** The key of a record with an id within its account. */
export const byId = { key: ['accountId', 'id'], keyColumns: ['account_id', 'id'] } as const;
