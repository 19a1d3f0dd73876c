import { identifier } from './checks.ts';

/** The field that names the account of a record. */
export const ofAccount = { accountId: identifier };

/** The key of records that exist at most once per account. */
export const oneAnAccount = { key: ['accountId'], keyColumns: ['account_id'] } as const;

/** The key of records whose id is unique within the account. */
export const byId = { key: ['accountId', 'id'], keyColumns: ['account_id', 'id'] } as const;
