import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { createBareDatabase, type TestDatabase } from '../support/database.ts';
import { sightline, sightlineHere } from '../support/sightline.ts';

const MIGRATIONS = readdirSync('sql/migrations')
  .filter(name => name.endsWith('.sql'))
  .sort();

let database: TestDatabase | undefined;

afterEach(() => database?.drop());

describe('migrate', () => {
  it('applies every migration once, even if several replicas run it concurrently', {
    tags: 'slow',
  }, async () => {
    database = await createBareDatabase();
    const options = { env: { DATABASE_URL: database.url } };
    const outcomes = await Promise.all([1, 2, 3].map(() => sightline(['migrate'], options)));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(outcomes.map(({ stdout }) => stdout).sort()).toEqual(['', '', `${MIGRATIONS.join('\n')}\n`]);
  });

  it('is required before other commands', async () => {
    database = await createBareDatabase();
    const commands = [['keys', 'list'], ['load', '-'], ['prune'], ['maintain'], ['enrich', '--reverse-dns']];
    for (const command of commands) {
      const { code, stdout, stderr } = await sightlineHere(command, { DATABASE_URL: database.url });
      const advice = expect.stringContaining('run "sightline migrate"');
      expect([command[0], code, stdout, stderr]).toEqual([command[0], 1, '', advice]);
    }
  });
});
