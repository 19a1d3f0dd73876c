import { createHash } from 'node:crypto';
import type { Rows } from '@sightline/pg-client';
import type { Account } from '../sql/account.ts';
import {
  type AuditEventRow,
  type AuditFilter,
  type AuditPosition,
  auditEvent,
  auditEvents,
} from '../sql/audit.ts';
import { builder, OWN_STATEMENT, toItems } from './builder.ts';
import { type Context, ownAccount } from './context.ts';
import { invalid } from './errors.ts';
import { findsNodes, Node } from './global-ids.ts';
import { restRoute } from './rest-route.ts';

const PAGE = 1000;

const AuditEvent = builder.objectRef<AuditEventRow>('AuditEvent').implement({
  description: 'An event in an account.',
  interfaces: [Node],
  fields: t => ({
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'When it happened.' }),
    event: t.exposeString('event', {
      description: 'Name of the event in camelCase, such as `apiKeyCreated`.',
    }),
    message: t.exposeString('message', { description: 'A description of the event.' }),
    loggedById: t.exposeString('loggedById', { description: 'Identifier of the actor.' }),
    loggedByEmail: t.exposeString('loggedByEmail', { description: 'E-mail address of the actor.' }),
    requestIp: t.exposeString('requestIp', {
      description: 'IP address of the request, or empty for background jobs.',
    }),
    eventId: t.exposeString('id', {
      subGraphs: ['graph'],
      description: 'Identifier of the event, unique within the account.',
    }),
  }),
});

findsNodes('AuditEvent', (account, id, { database }) => auditEvent(database, account.id, id));

interface AuditPage {
  events: Rows<AuditEventRow>;
  nextCursor: string | null;
  truncated: boolean;
}

const AuditLog = builder.objectRef<AuditPage>('AuditLog').implement({
  description: 'Events of the audit log.',
  fields: t => ({
    events: t.field({
      type: [AuditEvent],
      description: 'The events, newest first.',
      resolve: ({ events }) => toItems(events),
    }),
    nextCursor: t.exposeString('nextCursor', {
      nullable: true,
      description: 'The cursor of the next page; null on the last one.',
    }),
    truncated: t.exposeBoolean('truncated', { description: 'Whether there is a next page.' }),
  }),
});

interface PageArguments {
  limit?: number | null | undefined;
  cursor?: string | null | undefined;
}

async function toPage(
  account: Account,
  { limit, cursor }: PageArguments,
  { database, budget }: Context,
  filter: AuditFilter = {},
): Promise<AuditPage> {
  const after = typeof cursor === 'string' ? readCursor(account, cursor) : null;
  const read = () => auditEvents(database, account.id, after, limit ?? PAGE, filter);
  const events = await (budget ? budget.inTurn(read) : read());
  const nextCursor = events.isTruncated ? writeCursor(account, events.last()!) : null;
  return { events, nextCursor, truncated: events.isTruncated };
}

const VERSION = '1';

/**
 * Encodes the position after which the next page begins, with a checksum that exposes forged cursors and those of other
 * accounts.
 */
function writeCursor(account: Account, { timestamp, id }: AuditPosition): string {
  const mark = createHash('sha256').update(JSON.stringify([account.id, timestamp, id]));
  const parts = [VERSION, mark.digest('base64url').slice(0, 12), timestamp, id];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

function readCursor(account: Account, cursor: string): AuditPosition {
  const [, , timestamp, id] = parts(cursor);
  const isPosition = isInstant(timestamp) && isId(id);
  if (!isPosition || writeCursor(account, { timestamp, id }) !== cursor) throw invalid('Invalid cursor');
  return { timestamp, id };
}

const INSTANT = /^(?!0000)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/;

/** True if the text is a valid instant in PostgreSQL's format. Cursors can be forged and must not cause a 500. */
function isInstant(text: unknown): text is string {
  if (typeof text !== 'string' || !INSTANT.test(text)) return false;
  const seconds = text.slice(0, 19).replace(' ', 'T');
  const date = new Date(`${seconds}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(seconds);
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && !id.includes('\0');
}

function parts(cursor: string): unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}

const description = 'The audit trail, newest first.';
const cursor = {
  type: 'Cursor',
  description: 'The `nextCursor` of the previous page; omitted for the first page.',
} as const;
const limit = {
  type: 'PageLimit',
  description: 'Events per page, 1 to 1000. Larger, empty and invalid values count as 1000.',
  // As wide as what the service accepts, so that generated clients do not refuse valid values.
  extensions: { openapi: { type: ['integer', 'string'] } },
} as const;

builder.queryField('auditLog', t =>
  t.field({
    type: AuditLog,
    description: `${description} Without \`limit\` and \`cursor\` the whole trail is one answer, however long it is.`,
    args: { limit: t.arg(limit), cursor: t.arg(cursor) },
    ...restRoute({
      path: '/audit-log',
      tag: 'Audit',
      summary: 'The audit trail',
      lenient: ['limit'],
      refusals: { cursor: invalid('Invalid cursor') },
      errors: { 400: ['Invalid cursor'] },
      stream: { list: 'events', cursor: 'nextCursor', unless: ['limit', 'cursor'] },
    }),
    resolve: (_root, args, context) => toPage(ownAccount(context), args, context),
  }),
);

builder.objectField('Account', 'auditLog', t =>
  t.field({
    type: AuditLog,
    // Nullable, so that an invalid cursor does not discard the rest of the response.
    nullable: true,
    description: `${description} A page has up to 1000 events unless \`limit\` is smaller.`,
    // By default, a list counts as ten items.
    complexity: ({ limit }) => ({ field: OWN_STATEMENT, multiplier: Math.max(1, (limit ?? PAGE) / 10) }),
    args: {
      limit: t.arg(limit),
      cursor: t.arg(cursor),
      event: t.arg.string({ description: 'Only events with this name.' }),
      actor: t.arg.string({ description: 'Only events caused by the user with this e-mail address.' }),
    },
    resolve: (account, { event, actor, ...page }, context) =>
      toPage(account, page, context, { event: event ?? undefined, actor: actor ?? undefined }),
  }),
);
