import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBareDatabase, type TestDatabase } from '../support/database.ts';
import { connectOperator } from '../support/operator.ts';
import { sightlineHere } from '../support/sightline.ts';

let database: TestDatabase;
let owner: ReturnType<typeof connectOperator>;
let importer: ReturnType<typeof connectOperator>;
let folder: string;
const login = `importer_${process.pid}_${Date.now()}`;

const asOwner = (...args: string[]) => sightlineHere(args, { DATABASE_URL: database.directUrl });
const importerUrl = () =>
  Object.assign(new URL(database.directUrl), { username: login, password: 'import' }).href;
const asImporter = (...args: string[]) => sightlineHere(args, { DATABASE_URL: importerUrl() });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-importer-'));
  database = await createBareDatabase();
  owner = connectOperator(database.directUrl);
  await owner.query(`
    create role ${login} login password 'import' in role sightline_importer`);
  expect((await asOwner('migrate')).code).toBe(0);
  await asOwner('account', 'create', 'acme', '--host', 'example.com', '--host', 'shop.example', '--key');
  expect((await asOwner('demo', '--import', folder)).code).toBe(0);
  importer = connectOperator(importerUrl());
});
afterAll(async () => {
  await importer?.end();
  await database?.drop();
  await owner?.end();
  rmSync(folder, { recursive: true, force: true });
});

const counts = () =>
  owner`select type::text, sum(total)::text as total from daily_count group by 1 order by 1`;

const rejectedInAll = async () => {
  const [row] = await owner`select coalesce(sum(rejected), 0)::int as n from report_usage`;
  return row!.n;
};

it('the importer role imports all formats, creates the partitions, and imports nothing twice', async () => {
  const first = await asImporter('import', '--account', 'acme', folder);
  expect(first).toMatchObject({ code: 3, stderr: expect.stringMatching(/Imported dmarc \d/) });
  const before = await counts();
  expect(before.map(({ type }) => type)).toEqual(expect.arrayContaining(['csp', 'dmarc', 'tls_rpt']));
  const [{ certificates }] = await owner<[{ certificates: string }]>`
    select count(*)::text as certificates from certificate`;
  expect(certificates).not.toBe('0');
  const rejected = await rejectedInAll();
  expect(rejected).toBeGreaterThan(0);
  expect((await asImporter('import', '--account', 'acme', folder)).stderr).toContain('repeated');
  expect(await counts()).toEqual(before);
  expect(await rejectedInAll()).toBe(rejected);
});

it('the importer role derives watch findings without permission to read them', async () => {
  const found = await owner`select distinct product from watch_finding where derived order by 1`;
  expect(found.map(({ product }) => product)).toEqual(['data', 'policy', 'script']);
  await expect(importer`select subject from watch_finding`).rejects.toThrow(/permission denied/);
});

it('the importer role replaces imported reports, including those in rewritten months', async () => {
  expect(await asOwner('maintain')).toMatchObject({ code: 0, stdout: expect.stringContaining('sorted') });
  const before = await counts();
  await owner`update report set digest = 0`;
  expect((await asImporter('import', '--account', 'acme', '--strip-query', folder)).stderr).toMatch(
    /Imported/,
  );
  expect((await counts()).map(({ type }) => type)).toEqual(before.map(({ type }) => type));
  const [{ replaced }] = await owner<[{ replaced: string }]>`
    select count(*)::text as replaced from report where digest <> 0`;
  expect(replaced).not.toBe('0');
});

it('the importer role assigns reports to accounts by host', async () => {
  await asOwner('account', 'create', 'routed', '--host', 'routed.example');
  const file = join(folder, 'routed.json');
  const body = {
    'csp-report': {
      'document-uri': 'https://routed.example/',
      'blocked-uri': 'inline',
      'violated-directive': 'img-src',
    },
  };
  writeFileSync(file, JSON.stringify(body));
  const { code, stderr } = await asImporter('import', '--route', 'accounts', '--account', 'acme', file);
  expect([code, stderr]).toEqual([0, expect.stringContaining('Imported')]);
  expect(await owner`select account_id from report where uri like 'https://routed.example/%'`).toEqual([
    { account_id: 'routed' },
  ]);
});

it.each([
  'select uri from report',
  'select raw from report_y2026m01',
  'select email from account',
  'select * from api_key',
  'select * from plan',
  "insert into api_key (id) values ('own')",
  "update account set email = 'own@example.org'",
  'delete from account',
  'truncate report',
  'drop table report',
  'create table own ()',
  'create role own',
  "select make_report_month('2026-01-02')",
])('the importer role is denied: %s', async statement => {
  await owner.query(`do $$ begin if to_regclass('report_y2026m01') is null then
    perform make_report_month('2026-01-01'); end if; end $$`);
  await expect(importer.query(statement)).rejects.toThrow(
    /permission denied|must be owner|no month of reports/,
  );
});

it('the importer role can create neither keys nor accounts, and cannot redirect partitions to a temporary table', async () => {
  expect(await asImporter('account', 'create', 'own', '--key')).toMatchObject({ code: 1 });
  expect(await asImporter('keys', 'list')).toMatchObject({ code: 1 });
  await importer.query(
    `begin; create temp table report (own text); select make_report_month('2189-03-01'); commit`,
  );
  const [{ parent }] = await owner<[{ parent: string }]>`
    select inhparent::regclass::text as parent from pg_inherits where inhrelid = 'report_y2189m03'::regclass`;
  expect(parent).toBe('report');
});
