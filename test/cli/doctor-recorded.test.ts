import { PLANNER_SETTINGS, type Statements } from '@sightline/pg-client';
import { expect, it } from 'vitest';
import type { WriteFailure } from '../../sql/operator/examination.ts';
import { readConfig } from '../../src/config.ts';
import { checkData } from '../../src/doctor/data.ts';
import type { Diagnosis } from '../../src/doctor/finding.ts';
import * as server from '../../src/doctor/server.ts';
import { checkSettings } from '../../src/doctor/settings.ts';
import { unreachable } from '../../src/doctor/unreachable.ts';
import { FACTS } from '../support/server-facts.ts';

/** Lines for a recorded file: what was read, and what the operator is told. */
const print = (read: unknown, found: Diagnosis | undefined | readonly Diagnosis[]) =>
  [
    typeof read === 'string' ? read : JSON.stringify(read),
    ...[found ?? []]
      .flat()
      .map(({ check, level, says, remedy }) => `  ${level} ${check}: ${says}${remedy ? ` → ${remedy}` : ''}`),
  ].join('\n');

it('tells the operator what each reading of the server means', async () => {
  const url = (host: string, query = '') => `postgres://web@${host}/reports${query}`;
  const hosts = [
    'localhost',
    '127.0.0.1',
    '127.1.2.3',
    '128.0.0.1',
    '[::1]',
    'db.example',
    'db.example,localhost',
  ];
  const modes = ['', '?sslmode=require', '?sslmode=verify-full'];
  const failures: (WriteFailure | undefined)[] = [undefined, 'standby', 'database', 'server'];
  const planner = Object.entries(PLANNER_SETTINGS);
  const said = [
    ...[140_999, 149_999, 150_000, 150_001].map(versionNumber =>
      print({ versionNumber }, server.checkVersion({ ...FACTS, versionNumber })),
    ),
    ...['UTF8', 'LATIN1', 'SQL_ASCII', 'utf8'].map(encoding =>
      print({ encoding }, server.checkEncoding({ ...FACTS, encoding })),
    ),
    ...[[], ['fsync'], ['autovacuum', 'fsync']].map(off =>
      print({ off }, server.checkServerSettings({ ...FACTS, off })),
    ),
    ...[true, false].flatMap(isSuperuser =>
      [true, false].flatMap(isOwner =>
        [[], ['a'], ['a', 'b', 'c'], ['a', 'b', 'c', 'd']].map(writable =>
          print(
            { isSuperuser, isOwner, writable },
            server.checkLogin({ ...FACTS, isSuperuser }, { isOwner, writable }),
          ),
        ),
      ),
    ),
    ...failures.map(failure => print(`read-only: ${failure}`, server.checkWrites(failure, FACTS))),
    ...['No space left on device', 'could not write block 1', '53100', 'temporary file size exceeds'].map(
      message => print(message, server.checkTemporaryFiles(new Error(message))),
    ),
    ...[0, 999, 1000, 1001, 1049, 1050, 60_000].flatMap(apart => [
      print(`database ${apart} ms behind`, server.checkClocks(FACTS, [10_000 + apart, 10_000 + apart])),
      print(`database ${apart} ms ahead`, server.checkClocks(FACTS, [10_000 - apart, 10_000 - apart])),
    ]),
    print('a slow answer', server.checkClocks(FACTS, [5000, 15_000])),
    ...hosts.flatMap(host =>
      modes.flatMap(mode =>
        [true, false].map(isEncrypted =>
          print(
            `${host}${mode} ${isEncrypted ? 'encrypted' : 'plain'}`,
            server.checkEncryption(url(host, mode), isEncrypted, 'DATABASE_URL'),
          ),
        ),
      ),
    ),
    ...[
      {},
      { WEB_CONCURRENCY: '3' },
      { DATABASE_POOL_SIZE: '1' },
      { DATABASE_READ_URL: 'postgres://web@standby/reports', EXPORT_CONCURRENCY: '2' },
    ].flatMap(settings => {
      const check = (connections: number) =>
        server.checkConnections({ connections, by: 'login' }, readConfig(settings));
      const levels = Array.from({ length: 200 }, (_, connections) => check(connections));
      // Only where the finding changes.
      return levels.flatMap((found, connections) =>
        found.level === levels[connections - 1]?.level
          ? []
          : [print(`${JSON.stringify(settings)}: ${connections} connections`, found)],
      );
    }),
    ...['0', '2s'].flatMap(statementTimeout =>
      [true, false].flatMap(isReadOnly =>
        [planner, planner.slice(1), planner.slice(0, -1), []].map(given =>
          print(
            { statementTimeout, isReadOnly, missing: planner.length - given.length },
            server.checkPooledSession(
              { statementTimeout, isReadOnly, planner: Object.fromEntries(given) },
              FACTS,
            ),
          ),
        ),
      ),
    ),
  ];
  await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('../recorded/doctor-server.txt');
});

it('tells the operator what the data and settings mean, and why a database cannot be opened', async () => {
  interface Read {
    extensions?: string[];
    months?: string[];
    sizes?: number[];
    hours?: Record<string, number>;
    mail?: number;
  }
  const statements = ({ extensions, months, sizes, hours, mail }: Read): Statements => {
    const answers: [string, object[]][] = [
      ['pg_extension', (extensions ?? ['plpgsql', 'bloom', 'pg_trgm', 'btree_gin']).map(name => ({ name }))],
      [
        'relname as name from pg_inherits',
        (months ?? ['y2026m11', 'y2026m12', 'y2027m01']).map(month => ({ name: `report_${month}` })),
      ],
      ['pg_database_size', [{ bytes: 12_345_678 }]],
      [
        'pg_total_relation_size',
        (sizes ?? [9_000_000]).map((bytes, index) => ({ name: `p${index}`, bytes })),
      ],
      ['last_run', Object.entries(hours ?? {}).map(([command, hours]) => ({ command, hours }))],
      ['daily_count', [{ day: mail === undefined ? null : '2026-11-20', age: mail }]],
    ];
    const query = async (text: string) => answers.find(([part]) => text.includes(part))?.[1] ?? [];
    return { query } as unknown as Statements;
  };
  const readings: Read[] = [
    {},
    { extensions: [] },
    { extensions: ['pg_trgm'] },
    { months: [] },
    { months: ['y2026m11', 'y2026m12'] },
    { months: ['y2026m12', 'y2027m01', 'default'] },
    { sizes: [] },
    { sizes: [4_000_000, 3_000_000, 2_000_000, 52_428] },
    ...[0, 24, 24.04, 48, 48.1].map(hours => ({ hours: { load: hours, maintain: hours } })),
    ...[0, 3, 4].map(mail => ({ mail })),
  ];
  const normal = await checkData(statements({}), '2026-11-30');
  const said = [print('all data', normal)];
  for (const read of readings) {
    const found = await checkData(statements(read), '2026-11-30');
    const differing = found.filter(
      one => !normal.some(usual => JSON.stringify(usual) === JSON.stringify(one)),
    );
    said.push(print(read, differing));
  }

  const settings: Record<string, string>[] = [
    {},
    { NODE_ENV: 'production' },
    { NODE_ENV: 'production', GRAPHIQL: 'true' },
    { NODE_ENV: 'development', GRAPHIQL: 'true' },
    { NODE_ENV: 'production', ADMIN_PORT: '9464' },
    { NODE_ENV: 'production', ADMIN_PORT: '4000', PORT: '4000' },
  ];
  for (const env of settings) said.push(print(env, checkSettings(readConfig(env))));

  const codes = [
    ...['53300', '28000', '28P01', '3D000', '57P03', '42501', 'CERT_HAS_EXPIRED', 'ENOTFOUND', 'EAI_AGAIN'],
    ...['ERR_TLS_CERT_ALTNAME_INVALID', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
    ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED', ''],
  ];
  const messages = [
    'unsupported startup parameter: statement_timeout',
    'too many connections for role "web"',
    'too many connections for database "reports"',
    'role "web" is not permitted to log in',
    'no pg_hba.conf entry for host "1.2.3.4", no encryption',
    'no pg_hba.conf entry, SSL off',
    'permission denied for database "reports"',
    'permission denied for database reports',
    'database "reports" is not currently accepting connections',
    'the server does not speak TLS (sslmode=require)',
  ];
  for (const code of codes)
    said.push(
      print(code, unreachable('database', Object.assign(new Error('it failed'), { code }), 'THE_URL')),
    );
  for (const message of messages)
    said.push(print(message, unreachable('replica-1', new Error(message), 'THE_URL')));
  await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('../recorded/doctor-data.txt');
});
