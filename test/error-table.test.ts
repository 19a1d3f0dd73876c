import {
  ConnectionLost,
  DatabaseLost,
  DatabaseUnavailable,
  isServersFault,
  ServerError,
} from '@sightline/pg-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { classifyError, type ErrorClass } from '../packages/pg-client/src/client/classify-error.ts';
import { connect, type ServerClient } from '../sql/client.ts';
import { createBareDatabase, type TestDatabase } from './support/database.ts';

/** How errors are classified: they concern a statement, its connection, or the server. */

/** The classes of PostgreSQL errors (documentation, appendix A), with one code each. */
const CODES = [
  ...[
    '02000',
    '03000',
    '08000',
    '08003',
    '08006',
    '08001',
    '08004',
    '08P01',
    '09000',
    '0A000',
    '0B000',
    '0F000',
  ],
  ...[
    '0L000',
    '0P000',
    '0Z000',
    '20000',
    '21000',
    '22000',
    '22023',
    '23505',
    '24000',
    '25006',
    '25P02',
    '25P03',
  ],
  ...[
    '26000',
    '27000',
    '28000',
    '28P01',
    '2B000',
    '2D000',
    '2F000',
    '34000',
    '38000',
    '39000',
    '3B000',
    '3D000',
  ],
  ...[
    '3F000',
    '40001',
    '40P01',
    '42501',
    '42P01',
    '44000',
    '53000',
    '53100',
    '53200',
    '53300',
    '53400',
    '54000',
  ],
  ...[
    '55P03',
    '57014',
    '57P01',
    '57P02',
    '57P03',
    '57P04',
    '57P05',
    '58000',
    '58030',
    '72000',
    'F0000',
    'HV000',
  ],
  ...['P0001', 'XX000', 'XX001', 'XX002'],
];

/** Codes that end a session because the server rejects logins or shuts down. */
const SHUT = new Set([
  ...['08000', '08003', '08006', '08001', '08004', '08P01', '28000', '28P01', '3D000', '53300'],
  ...['57P01', '57P02', '57P03', '57P04'],
]);

const said = (severity: string | undefined, code: string) =>
  new ServerError(
    ['SFEHLER', severity && `V${severity}`, `C${code}`, 'Msaid', ''].filter(Boolean).join('\0'),
  );

function expected(severity: string | undefined, code: string): ErrorClass {
  if (severity === 'ERROR') return 'answer';
  if (SHUT.has(code)) return 'absence';
  return severity ? 'end' : 'answer';
}

describe('a server error', () => {
  it.each(['ERROR', 'FATAL', 'PANIC', undefined])(
    'of severity %s is classified by its SQLSTATE class',
    severity => {
      for (const code of CODES)
        expect(classifyError(said(severity, code)), `${severity} ${code}`).toBe(expected(severity, code));
    },
  );

  it('causes a failover only if another server could answer', () => {
    for (const code of CODES) {
      expect(isServersFault(said('ERROR', code)), code).toBe(code === '40001');
      expect(isServersFault(said('FATAL', code)), code).toBe(SHUT.has(code) || code === '40001');
    }
    expect([new ConnectionLost('x'), new DatabaseLost('x')].map(isServersFault)).toEqual([true, true]);
    expect([new DatabaseUnavailable('x'), new TypeError('x')].map(isServersFault)).toEqual([false, false]);
  });

  it('proves that a server exists, unlike any other error', () => {
    const others = [
      new ConnectionLost('x'),
      new DatabaseLost('x'),
      Object.assign(new Error(), { code: 'ENOENT' }),
    ];
    expect(others.map(classifyError)).toEqual(['absence', 'absence', 'absence']);
  });
});

describe('a connection', () => {
  let database: TestDatabase;
  let client: ServerClient;
  const away: string[] = [];

  beforeAll(async () => {
    database = await createBareDatabase();
    const settings = {
      poolSize: 1,
      statementTimeout: 2000,
      queueTimeout: 1000,
      queueLimit: 100,
      prepare: true,
    };
    const events = { away: ({ message }: Error) => void away.push(message), back: () => {} };
    client = connect({ ...settings, url: database.url, role: '' }, events);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const raise = (level: string) => client.rows(`do $$ begin ${level} end $$`, [], { prepare: false });
  const backend = async () => {
    const [row] = await client.rows<{ pid: number }>('select pg_backend_pid() as pid', []);
    return row!.pid;
  };

  it('survives any error of severity ERROR, regardless of the SQLSTATE', async () => {
    const before = await backend();
    for (const code of CODES) {
      const error = await raise(`raise exception 'said' using errcode = '${code}';`).catch(error => error);
      expect(error, code).toMatchObject({ code, severity: 'ERROR' });
      expect(await backend(), code).toBe(before);
    }
    expect(away).toEqual([]);
    expect(client.counters.attempts).toBe(1);
  });

  it('that the server ends is replaced, and the next statement succeeds', async () => {
    const before = await backend();
    const error = await client
      .rows('select pg_terminate_backend(pg_backend_pid())', [])
      .catch(error => error);
    expect(classifyError(error)).toBe('absence');
    expect(await backend()).not.toBe(before);
    expect(away).toEqual([]);
  });
});
