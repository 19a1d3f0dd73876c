import { SQL } from 'bun';
import { createLimit, Keys } from '../doors.ts';
import * as answers from '../yardstick-answers.ts';

/**
 * The routes of the yardstick with what Bun brings along: its server, and its client of PostgreSQL. Key, limit and
 * answers are the yardstick's. It runs from the sources, in Bun alone.
 */
const [databaseUrl = '', port = ''] = process.argv.slice(2);
const pool = new SQL({
  url: databaseUrl,
  max: 4,
  connection: {
    TimeZone: 'UTC',
    role: 'sightline_reader',
    statement_timeout: 60_000,
    plan_cache_mode: 'force_custom_plan',
  },
});

/** Columns of type bigint, which Bun gives as text. */
const INTEGERS = new Set([
  'total',
  'count',
  'report_quota',
  'collect_hosts',
  'data_retention_days',
  'alertThreshold',
]);

/** Instants of the audit trail, whose microseconds a cursor has to name: Bun's dates know none. */
const texts = new Map();

function withMicroseconds(text) {
  const known =
    texts.get(text) ??
    text
      .replace('id, timestamp, event', 'id, timestamp::text as timestamp, event')
      .replace('order by timestamp', 'order by audit_event.timestamp');
  texts.set(text, known);
  return known;
}

/** The driver as the answers know it: days and instants as text, integers as numbers. */
const sql = {
  async unsafe(text, parameters) {
    const rows = await pool.unsafe(withMicroseconds(text), [...parameters]);
    const [first] = rows;
    if (!first) return rows;
    const dates = Object.keys(first).filter(name => first[name] instanceof Date);
    const integers = Object.keys(first).filter(name => INTEGERS.has(name));
    for (const row of rows) {
      for (const name of dates) row[name] = row[name].toISOString().slice(0, name === 'day' ? 10 : 24);
      for (const name of integers) row[name] = Number(row[name]);
    }
    return rows;
  },
};

const keys = new Keys(sql);
const limit = createLimit();

const ROUTES = [
  [/^\/v1\/me$/, (_, holder) => answers.me(holder)],
  [/^\/v1\/plan$/, (_, holder) => answers.plan(holder)],
  [/^\/v1\/last-seven-days$/, (_, holder) => answers.week(sql, holder)],
  [
    /^\/v1\/graphs\/csp\/(\w+)\/(\w+)$/,
    ([, unit, amount], holder) => answers.graph(sql, holder, { unit, amount }),
  ],
  [
    /^\/v1\/reports\/(\w+)$/,
    ([, type], holder, query) => answers.reports(sql, holder, type, Object.fromEntries(query)),
  ],
  [/^\/v1\/watches\/(\w+)$/, ([, product], holder) => answers.watched(sql, holder, { product })],
  [
    /^\/v1\/watches\/(\w+)\/([^/]+)$/,
    ([, product, domain], holder) => answers.findings(sql, holder, { product, domain }),
  ],
  [/^\/v1\/audit-log$/, (_, holder, query) => answers.audit(sql, holder, Object.fromEntries(query))],
];

const json = (status, body, headers = {}) =>
  new Response(body, { status, headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers } });

async function answer(request) {
  const holder = await keys.find(request.headers.get('authorization') ?? undefined);
  if (!holder?.account_id) return json(401, '{"error":"Unauthorized"}');
  const { policy, state } = await limit(holder.key_id);
  const headers = { 'RateLimit-Policy': policy, RateLimit: state };
  if (!answers.mayAsk(holder)) {
    return json(403, '{"error":"API access requires a Business plan or higher"}', headers);
  }
  const { pathname, searchParams } = new URL(request.url);
  for (const [pattern, ask] of ROUTES) {
    const found = pattern.exec(pathname);
    const body = found && (await ask(found, holder, searchParams));
    if (body) return json(200, JSON.stringify(body), headers);
  }
  return json(404, '{"error":"Not found"}', headers);
}

Bun.serve({ port: Number(port), hostname: '127.0.0.1', fetch: answer });
