import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { createBareDatabase, type TestDatabase } from '../support/database.ts';
import { personal } from '../support/fixtures.ts';
import { startService } from '../support/service.ts';
import { sightlineHere } from '../support/sightline.ts';
import { openStock, type Stock } from '../support/stock.ts';

let database: TestDatabase;
let stock: Stock;
afterEach(async () => {
  await stock?.close();
  await database?.drop();
});

const run = (...args: string[]) => sightlineHere(args, { DATABASE_URL: database.directUrl });
const version = async () => (await stock.sql`select version::text from account`)[0]!.version as string;

/**
 * Backups leave out some objects and restores add others. This is simulated, because the tools are not always
 * installed.
 */
async function restore(former: string): Promise<void> {
  const name = new URL(database.directUrl).pathname.slice(1);
  await stock.sql.query(`
    grant temporary on database ${name} to public;
    alter role sightline_reader in database ${name} reset all;
    update account set version = ${former}, email = 'former@example.org';
    update origin set accounts = 0`);
}

it('a restored database is refused until migrate repairs privileges and advances versions', {
  tags: 'slow',
}, async () => {
  database = await createBareDatabase();
  stock = openStock(database.directUrl);
  await run('migrate');
  {
    await using service = await startService({
      databaseUrl: database.directUrl,
      now: '2026-01-02T00:00:00Z',
    });
    await service.load(personal('a', { createdAt: '2026-01-01T00:00:00Z', email: 'former@example.org' }));
    const former = await version();
    const key = await service.key('personal', 'a');
    const seen: { 'if-none-match': string }[] = [];
    for (const email of ['lost@example.org', 'lost-too@example.org', 'last@example.org']) {
      await service.load(personal('a', { createdAt: '2026-01-01T00:00:00Z', email }));
      const { headers } = await service.get('/v1/me', key);
      seen.push({ 'if-none-match': headers.get('etag')! });
    }
    expect((await service.get('/v1/me', key, seen.at(-1))).status).toBe(304);

    await restore(former);
    const restored = 'The database was restored: run "sightline migrate"\n';
    for (const command of ['serve', 'prune'])
      expect(await run(command)).toMatchObject({ code: 1, stderr: expect.stringContaining(restored) });
    const { stderr } = await run('migrate');
    expect(stderr).toContain('The database was restored: the versions of all accounts were advanced.');
    await service.load(personal('a', { createdAt: '2026-01-01T00:00:00Z', email: 'later@example.org' }));
    for (const condition of seen) {
      const { status, body } = await service.get('/v1/me', key, condition);
      expect([status, body]).toMatchObject([200, { email: 'later@example.org' }]);
    }
  }
  const { stdout } = await run('doctor');
  expect(stdout).toContain('ok       rights: sightline_reader cannot create temporary tables');
  expect((await run('migrate')).stderr).toBe('Nothing to do: the database is up to date.\n');
});

it('migrate --restored advances the versions after a disk copy was restored', async () => {
  database = await createBareDatabase();
  stock = openStock(database.directUrl);
  await run('migrate');
  await stock.account('a');
  const before = await version();
  await run('migrate');
  expect(await version()).toBe(before);
  expect((await run('migrate', '--restored')).stderr).toContain('were advanced');
  expect(BigInt(await version())).toBeGreaterThan(BigInt(before));
  // A clock that was ahead.
  await stock.sql.query('update account set version = 9000000000000000');
  await run('migrate', '--restored');
  expect(await version()).toBe('9000000000000001');

  // A backup says itself that it was restored.
  await restore(before);
  const refused = 'The database was restored: run "sightline migrate"\n';
  expect(await run('prune')).toMatchObject({ code: 1, stderr: expect.stringContaining(refused) });
  expect((await run('migrate')).stderr).toContain('were advanced');
  expect(BigInt(await version())).toBeGreaterThan(BigInt(before) + 1n);
  const rights = await stock.sql.query(`
    select has_database_privilege('sightline_reader', datname, 'temporary') as reader,
      has_database_privilege(datname, 'temporary') as own,
      (select array_to_string(setconfig, ' ') from pg_db_role_setting
       where setdatabase = d.oid and setrole = 'sightline_reader'::regrole) as settings
    from pg_database d where datname = current_database()`);
  expect(rights).toEqual([{ reader: false, own: true, settings: 'default_transaction_read_only=on' }]);
  expect((await run('migrate')).stderr).toBe('Nothing to do: the database is up to date.\n');
});

it('doctor reports missing protections of the database', async () => {
  database = await createBareDatabase();
  stock = openStock(database.directUrl);
  await run('migrate');
  const name = new URL(database.directUrl).pathname.slice(1);
  await stock.sql.query(`grant temporary on database ${name} to public;
    alter role sightline_reader in database ${name} reset all`);
  expect((await run('doctor')).stdout).toContain(
    'warning  rights: sightline_reader may make temporary tables\n',
  );
  await stock.sql.query(
    `revoke temporary on database ${name} from public; alter role sightline_reader login`,
  );
  const { stdout } = await run('doctor').finally(() =>
    stock!.sql.query('alter role sightline_reader nologin'),
  );
  expect(stdout).toContain(
    'warning  rights: sightline_reader logs in without default_transaction_read_only\n' +
      '         remedy: run "sightline migrate" as the owner, or as an administrator if the owner cannot create roles\n',
  );
});

it('the guide to operations, which a restore follows, creates the same roles as the installation guide', () => {
  const listCreated = (page: string, begin: string, end: string) => {
    const [, section = ''] = readFileSync(`docs/${page}.md`, 'utf8').split(begin);
    return [...section.split(end)[0]!.matchAll(/create (?:role|extension) \w+/g)]
      .map(([made]) => made)
      .sort();
  };
  const installed = listCreated('install', "runuser -u postgres -- psql <<'SQL'\n", '\nSQL\n');
  expect(installed).toContain('create role sightline_importer');
  expect(listCreated('operations', '\n### Roles in PostgreSQL\n', '\n### ')).toEqual(installed);
});
