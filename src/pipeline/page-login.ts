import { createHash } from 'node:crypto';
import { type Account, anyAccount } from '../../sql/account.ts';
import type { ReadServer } from '../../sql/servers/servers.ts';
import { JSON_TYPE, readBodyType } from '../graphql/media-types.ts';
import type { IdentifiedKey } from '../http/authenticate.ts';
import { type App, json, type Request } from '../http/reply.ts';
import { Refusal } from '../http/respond.ts';
import type { Person, ProxyLogin } from '../pages/login/proxy-login.ts';
import { parseQuery } from '../rest/query-string.ts';
import type { PipelineDependencies } from './dependencies.ts';

/** Paths for people whom the proxy names; other paths ignore the proxy's headers. */
export const SESSION_PATH = '/app/session';
export const PAGE_QUERY_PATH = '/app/graphql';

/** A request of the page, with its caller. */
export interface PageQuery {
  request: Request;
  identify(server: ReadServer): Promise<IdentifiedKey>;
}

/** Accepts the page's queries from people whom the proxy names. @throws {Refusal} for everything else */
export function createPageQueries(login: ProxyLogin): (request: Request) => Promise<PageQuery> {
  return async request => {
    if (request.method !== 'POST') throw new Refusal('methodNotAllowed', { Allow: 'POST' });
    const person = requirePerson(login, request);
    const id = parseQuery(request.query).get('account')?.[0];
    if (typeof id !== 'string' || !person.accounts.includes(id)) throw new Refusal('foreignAccount');
    const isJson = readBodyType(request.headers['content-type']) === JSON_TYPE;
    if (!isJson || !(await isPageDocument(await request.body()))) throw new Refusal('foreignDocument');
    return {
      // A key in the request is ignored, because the proxy has named the person.
      request: { ...request, path: '/graphql', query: '' },
      identify: async ({ database }) => toCaller(await anyAccount(database, id), person),
    };
  };
}

/** Returns who is signed in, and which accounts that person can see. */
export function createSession(login: ProxyLogin, { servers }: PipelineDependencies): App {
  return async request => {
    if (request.method !== 'GET') throw new Refusal('methodNotAllowed', { Allow: 'GET' });
    const { user, accounts: ids } = requirePerson(login, request);
    const { database } = servers.choose();
    const found = await request.inTime(
      Promise.all(ids.slice(0, MOST_ACCOUNTS).map(id => anyAccount(database, id))),
    );
    const accounts = found.flatMap(account => (account ? [toEntry(account)] : []));
    if (accounts.length === 0) throw new Refusal('noAccounts');
    return json(JSON.stringify({ user, accounts, signOut: login.signOut ?? null }));
  };
}

/** Limits the number of statements. */
const MOST_ACCOUNTS = 100;

const toEntry = ({ id, teamName, email }: Account) => ({ id, name: teamName ?? email ?? id });

function requirePerson(login: ProxyLogin, request: Request): Person {
  // The proxy's cookies are also sent with requests of other sites.
  if (request.headers['sec-fetch-site'] === 'cross-site') throw new Refusal('noPerson');
  const person = login.identify(request);
  if (!person) throw new Refusal('noPerson');
  request.notes.user = person.user;
  return person;
}

function toCaller(account: Account | undefined, { user }: Person): IdentifiedKey {
  if (!account) throw new Refusal('foreignAccount');
  const keyId = `proxy:${createHash('sha256').update(user).digest('base64url')}`;
  // The caller was not looked up with a lease.
  return {
    keyId,
    account,
    endsAt: Number.POSITIVE_INFINITY,
    invalidationPending: false,
    validUntil: Number.NEGATIVE_INFINITY,
  };
}

/** Checks whether a body of JSON contains exactly a document of the page. */
async function isPageDocument(body: Buffer): Promise<boolean> {
  // Loaded on demand, because most services do not need the texts.
  const { PAGE_DOCUMENTS } = await import('../graphql/trusted-documents.generated.ts');
  try {
    const { query } = JSON.parse(body.toString()) as { query?: unknown };
    if (typeof query !== 'string') return false;
    return Object.hasOwn(PAGE_DOCUMENTS, createHash('sha256').update(query).digest('hex'));
  } catch {
    return false;
  }
}
