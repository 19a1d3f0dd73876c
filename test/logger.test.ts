import { describe, expect, it } from 'vitest';
import { createKey } from '../src/keys/format.ts';
import { createLogger, type Logger } from '../src/observability/logger.ts';

function captureLog(write: (logger: Logger) => void): string {
  let output = '';
  write(createLogger('info', { write: line => (output += line) }));
  return output;
}

describe('the log', () => {
  const key = createKey('team');

  it.each([
    ['a message', (logger: Logger) => logger.info(`asked with ${key}`)],
    ['an error', (logger: Logger) => logger.error({ err: new Error(`no such key: ${key}`) })],
    ['a field with any name', (logger: Logger) => logger.info({ asked: { deep: [key] } })],
    ['a header', (logger: Logger) => logger.info({ req: { headers: { authorization: `Bearer ${key}` } } })],
    ['an address', (logger: Logger) => logger.info({ url: `/v1/me?key=${key}` })],
  ])('never contains a key from %s', (_, write) => {
    const output = captureLog(write);
    expect(output).not.toBe('');
    expect(output).not.toContain(key.slice(6));
    expect(() => JSON.parse(output)).not.toThrow();
  });

  it('never contains the password of a database or of Redis', () => {
    const output = captureLog(logger =>
      logger.info({ databaseUrl: 'postgres://me:s3cret@db/x', text: 'at redis://:s3cret@cache' }),
    );
    expect(output).toContain('postgres://me:[redacted]@db/x');
    expect(output).not.toContain('s3cret');
    const at = captureLog(logger => logger.info({ databaseUrl: 'postgres://me:s3@cr"et@db/x' }));
    expect(JSON.parse(at).databaseUrl).toBe('postgres://me:[redacted]@db/x');
  });

  it('leaves other text unchanged', () => {
    expect(
      JSON.parse(captureLog(logger => logger.info({ route: '/v1/reports/csp' }, 'request'))),
    ).toMatchObject({
      route: '/v1/reports/csp',
      msg: 'request',
    });
    const fields = { redis: 'redis://cache:6379', user: 'ann@example.com' };
    expect(JSON.parse(captureLog(logger => logger.info(fields)))).toMatchObject(fields);
  });
});

describe('a log line', () => {
  const lineOf = (value: object) => {
    const {
      level: _,
      time: _time,
      pid: _pid,
      hostname: _host,
      ...rest
    } = JSON.parse(captureLog(logger => logger.info(value)));
    return rest;
  };
  const hidden = '[redacted]';

  it.each(['authorization', 'cookie', 'password', 'key', 'token'])(
    'hides the field %s at three depths',
    name => {
      const secret = { [name]: 'a', other: 'b' };
      const shown = { [name]: hidden, other: 'b' };
      expect(lineOf({ ...secret, config: secret, request: { headers: secret, body: 'c' } })).toEqual({
        ...shown,
        config: shown,
        request: { headers: shown, body: 'c' },
      });
    },
  );

  it('describes the cause of an error that GraphQL has wrapped, however often', () => {
    const cause = Object.assign(new TypeError('no such table'), { code: '42P01' });
    const wrap = (originalError: unknown) => Object.assign(new Error('wrapped'), { originalError });
    for (const err of [cause, wrap(cause), wrap(wrap(cause))])
      expect(lineOf({ err }).err).toMatchObject({
        type: 'TypeError',
        message: 'no such table',
        code: '42P01',
      });
    for (const other of [undefined, 'text'])
      expect(lineOf({ err: wrap(other) }).err).toMatchObject({ type: 'Error', message: 'wrapped' });
  });

  it('is written only from its level on', () => {
    const levels = (level: 'debug' | 'warn') => {
      const lines: string[] = [];
      const logger = createLogger(level, { write: line => lines.push(JSON.parse(line).msg) });
      for (const one of ['debug', 'info', 'warn', 'error'] as const) logger[one](one);
      return lines;
    };
    expect([levels('debug'), levels('warn')]).toEqual([
      ['debug', 'info', 'warn', 'error'],
      ['warn', 'error'],
    ]);
  });
});
