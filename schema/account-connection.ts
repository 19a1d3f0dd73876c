import { type Account, anyAccounts } from '../sql/account.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';
import { invalid } from './errors.ts';

/** A page of accounts, as in Relay's Cursor Connections. */
interface AccountPage {
  nodes: Account[];
  pageInfo: PageInfo;
}

interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
  endCursor: string | null;
}

export const LARGEST_PAGE = 100;

/** The cost of fields that a page contains once, regardless of the number of accounts. */
const ONCE = { field: 0, multiplier: 1 };

const PageInfo = builder.objectRef<PageInfo>('PageInfo').implement({
  description: 'The position of a page in a list.',
  subGraphs: ['graph'],
  fields: t => ({
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether there is a next page.' }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', {
      description: 'Whether the page was requested with `after`.',
    }),
    startCursor: t.exposeString('startCursor', {
      nullable: true,
      description: 'The cursor of the first entry, or null on an empty page.',
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description:
        'The cursor of the last entry, to use as `after` for the next page, or null on an empty page.',
    }),
  }),
});

const AccountEdge = builder.objectRef<Account>('AccountEdge').implement({
  description: 'An account in a page.',
  subGraphs: ['graph'],
  fields: t => ({
    node: t.field({ type: 'Account', description: 'The account.', resolve: account => account }),
    cursor: t.string({
      description: 'The value of `after` for a page that begins after this account.',
      resolve: ({ id }) => toCursor(id),
    }),
  }),
});

export const AccountConnection = builder.objectRef<AccountPage>('AccountConnection').implement({
  description: 'A page of accounts.',
  subGraphs: ['graph'],
  fields: t => ({
    nodes: t.expose('nodes', {
      type: ['Account'],
      complexity: ONCE,
      description: 'The accounts, sorted by id.',
    }),
    edges: t.field({
      type: [AccountEdge],
      complexity: ONCE,
      description: 'The accounts with their cursors, sorted by id.',
      resolve: ({ nodes }) => nodes,
    }),
    pageInfo: t.expose('pageInfo', {
      type: PageInfo,
      complexity: ONCE,
      description: 'The position of the page.',
    }),
    endCursor: t.string({
      nullable: true,
      deprecationReason: 'Use `pageInfo.endCursor`.',
      description: 'The value of `after` for the next page.',
      resolve: ({ pageInfo }) => pageInfo.endCursor,
    }),
    hasNextPage: t.boolean({
      deprecationReason: 'Use `pageInfo.hasNextPage`.',
      description: 'Whether there is a next page.',
      resolve: ({ pageInfo }) => pageInfo.hasNextPage,
    }),
  }),
});

/**
 * Returns the first accounts after a cursor.
 * @throws {PublicError} for a number outside 1 to 100, or an invalid cursor
 */
export async function accountPage({ database }: Context, first: number, after: string): Promise<AccountPage> {
  if (first < 1 || first > LARGEST_PAGE) throw invalid(`first is a number from 1 to ${LARGEST_PAGE}`);
  const found = await anyAccounts(database, fromCursor(after), first + 1);
  const nodes = found.slice(0, first);
  const toCursorText = (account: Account | undefined) => (account ? toCursor(account.id) : null);
  const pageInfo = {
    hasNextPage: found.length > first,
    hasPreviousPage: after !== '',
    startCursor: toCursorText(nodes[0]),
    endCursor: toCursorText(nodes.at(-1)),
  };
  return { nodes, pageInfo };
}

const toCursor = (id: string) => Buffer.from(id).toString('base64url');

function fromCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (toCursor(id) !== cursor || !isStorable(id)) throw invalid('Invalid cursor');
  return id;
}

/** PostgreSQL texts cannot contain NUL. */
export const isStorable = (text: string) => !text.includes('\0');
