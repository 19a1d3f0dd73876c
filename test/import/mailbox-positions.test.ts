import { afterAll, beforeAll, expect, it } from 'vitest';
import { mailboxPosition, moveMailboxPosition } from '../../sql/feed/mailbox-positions.ts';
import { createFeedDatabase, type FeedDatabase } from '../feed/lines.ts';
import { connectOperator, type Operator } from '../support/operator.ts';

let database: FeedDatabase;
let operator: Operator;
beforeAll(async () => {
  database = await createFeedDatabase();
  operator = connectOperator(database.url);
});
afterAll(async () => {
  await operator?.end();
  await database?.[Symbol.asyncDispose]();
});

const FOLDER = { accountId: 'a', mailbox: 'ann@mail.example:993', format: 'auto', reading: 'present' };
const BEFORE = { uidValidity: '1', lastUid: 50 };

it.each([
  ['advances to a later mail', { lastUid: 60 }, { lastUid: 60 }],
  ['stays at the last mail of an import that ended before', { lastUid: 40 }, { lastUid: 50 }],
  ['restarts after the server has renumbered the mails', { uidValidity: '2', lastUid: 3 }, { lastUid: 3 }],
  ['restarts when mails are read in another way', { reading: 'other', lastUid: 3 }, { lastUid: 3 }],
])('the position in a mailbox %s', async (name, { reading, ...moved }: Record<string, unknown>, expected) => {
  const folder = { ...FOLDER, folder: name };
  await moveMailboxPosition(operator, folder, BEFORE);
  const own = { ...folder, ...(typeof reading === 'string' && { reading }) };
  await moveMailboxPosition(operator, own, { ...BEFORE, ...moved });
  expect(await mailboxPosition(operator, own)).toMatchObject(expected);
});
