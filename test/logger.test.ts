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
  });

  it('leaves other text unchanged', () => {
    expect(
      JSON.parse(captureLog(logger => logger.info({ route: '/v1/reports/csp' }, 'request'))),
    ).toMatchObject({
      route: '/v1/reports/csp',
      msg: 'request',
    });
  });
});
