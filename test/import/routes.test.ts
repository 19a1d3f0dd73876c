import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Routes } from '@sightline/import/routes';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aggregateXml, importBytes, mailWith, mboxOf } from '../../packages/import/test/reports.ts';
import { account, createFeedDatabase, type FeedDatabase } from '../feed/lines.ts';
import { watch } from '../support/fixtures.ts';
import { sightlineHere } from '../support/sightline.ts';

describe('routes', () => {
  const routes = new Routes([
    ['acme.example', 'acme'],
    ['shop.acme.example', 'shop'],
    ['*.cdn.example', 'cdn'],
    ['static-*.acme.example', 'static'],
    ['MÜNCHEN.example.', 'city'],
  ]);

  it.each([
    ['acme.example', 'acme'],
    ['ACME.example.', 'acme'],
    ['mail.acme.example', 'acme'],
    ['shop.acme.example', 'shop'],
    ['a.shop.acme.example:8443', 'shop'],
    ['a.cdn.example', 'cdn'],
    ['cdn.example', undefined],
    ['notacme.example', undefined],
    ['static-1.acme.example', 'static'],
    ['xn--mnchen-3ya.example', 'city'],
    ['example', undefined],
    ['', undefined],
  ])('give %s to %s', (host, expected) => {
    expect(routes.accountOf(host)).toBe(expected);
  });

  it('give a host to the longest pattern, in whatever order they come', () => {
    const patterns: [string, string][] = [
      ['*.example', 'any'],
      ['*.shop.example', 'shop'],
      ['*.*.shop.example', 'below'],
    ];
    for (const made of [new Routes(patterns), new Routes(patterns.toReversed())]) {
      const hosts = ['a.example', 'a.shop.example', 'a.b.shop.example'];
      expect(hosts.map(host => made.accountOf(host))).toEqual(['any', 'shop', 'below']);
    }
  });

  it('give no host to another account than that of the longest name above it', () => {
    const label = fc.constantFrom('a', 'b', 'c');
    const name = fc.array(label, { minLength: 1, maxLength: 4 }).map(labels => labels.join('.'));
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 8 }), name, (names, host) => {
        const made = new Routes(names.map(known => [known, `of ${known}`]));
        const above = names.filter(known => host === known || host.endsWith(`.${known}`));
        const longest = above.sort((one, other) => other.length - one.length)[0];
        expect(made.accountOf(host)).toBe(longest === undefined ? undefined : `of ${longest}`);
      }),
    );
  });
});

/** An aggregate report on that domain, by that From header. */
const about = (domain: string, headerFrom: string, id = domain) =>
  aggregateXml([{ count: 1 }], id)
    .replace(/<domain>[^<]*<\/domain>(?=[\s\S]*<p>)/, `<domain>${domain}</domain>`)
    .replace(/<header_from>[^<]*/g, `<header_from>${headerFrom}`);

describe('an import by routes', () => {
  const routes = new Routes([
    ['acme.example', 'acme'],
    ['shop.acme.example', 'shop'],
    ['other.example', 'other'],
  ]);
  const accounts = async (bytes: string, more: object = {}) => {
    const { records } = await importBytes(bytes, { accountId: undefined, routes, ...more });
    return records.map(({ accountId }) => accountId);
  };

  it('gives a DMARC row to the account of its From header, within the domain that asked for reports', async () => {
    expect(await accounts(about('acme.example', 'acme.example'))).toEqual(['acme']);
    expect(await accounts(about('acme.example', 'shop.acme.example'))).toEqual(['shop']);
    expect(await accounts(about('acme.example', 'other.example'))).toEqual(['acme']);
    expect(await accounts(about('nobody.example', 'other.example'))).toEqual([]);
    expect(await accounts(about('nobody.example', 'x.example'), { accountId: 'rest' })).toEqual(['rest']);
  });

  it('gives reports of browsers to the account of their page', async () => {
    const body = (uri: string) =>
      JSON.stringify({
        'csp-report': { 'document-uri': uri, 'blocked-uri': 'inline', 'violated-directive': 'x' },
      });
    expect(await accounts(body('https://shop.acme.example:8443/a?b=https://other.example'))).toEqual([
      'shop',
    ]);
    expect(await accounts(body('about:blank'))).toEqual([]);
  });
});

describe('sightline import --route', () => {
  let database: FeedDatabase;
  let folder: string;
  beforeAll(async () => {
    database = await createFeedDatabase();
    await database.load(account('acme'), account('rest'), watch('acme', 'script', 'acme.example'));
    folder = await mkdtemp(join(tmpdir(), 'sightline-test-route-'));
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const run = (...args: string[]) => sightlineHere(['import', ...args], { DATABASE_URL: database.url });
  const mailbox = (id: string) =>
    file(
      'inbox',
      mboxOf(
        ...['acme.example', 'www.acme.example', 'x.example', 'x.example'].map((domain, index) =>
          mailWith({ bytes: Buffer.from(about(domain, domain, `${id} ${index}`)) }),
        ),
      ),
    );
  const stored = async () =>
    (await database.rows('select account_id, count(*)::int from report group by 1 order by 1')).map(row => [
      row.account_id,
      row.count,
    ]);

  it('tells by domain what is of no account, and gives that to --account where one is named', async () => {
    const routes = await file('routes.yaml', '# whose\nacme.example: acme\n');
    const { code, stderr } = await run('--route', routes, await mailbox('one'));
    expect(stderr).toMatch(/^Imported dmarc 2; 4 items read; .*; of no account: x\.example 2; \d/);
    expect(code).toBe(3);
    expect(await stored()).toEqual([['acme', 2]]);
    const again = await run('--json', '--route', routes, '--account', 'rest', await mailbox('one'));
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stderr)).toMatchObject({ records: { dmarc: 2 }, repeated: 2, unrouted: {} });
    expect(await stored()).toEqual([
      ['acme', 2],
      ['rest', 2],
    ]);
  });

  it('takes the hosts of the accounts, JSON, and ids of digits', async () => {
    const { stderr } = await run('--route', 'accounts', await mailbox('two'));
    expect(stderr).toContain('Imported dmarc 2;');
    const routes = await file('routes.json', '{"*.acme.example": "acme"}');
    expect((await run('--route', routes, await mailbox('three'))).stderr).toContain('Imported dmarc 1;');
    await database.load(account('007'));
    const digits = await file('digits.yaml', 'acme.example: 007\n');
    expect((await run('--route', digits, await mailbox('digits'))).stderr).toContain('Imported dmarc 2;');
    const lines = await run('--to-feed', '-', '--route', routes, await mailbox('three'));
    expect(
      lines.stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).accountId),
    ).toEqual(['acme']);
  });

  it.each([
    ['nothing', '', 'must have a host name and the id of its account on each line'],
    ['a list', '- acme', 'must have a host name and the id of its account on each line'],
    ['what is no YAML', 'a: b\n\tc: [', ':2: is neither YAML nor JSON'],
    ['an address', 'https://acme.example/: acme', '"https://acme.example/" is no host name'],
    [
      'a host twice',
      'acme.example: acme\nACME.example: rest',
      '"ACME.example" is routed to both acme and rest',
    ],
    [
      'an account that is not there',
      'acme.example: gone',
      'There is no account "gone": nothing was imported.',
    ],
  ])('refuses a file of %s', async (_, text, sentence) => {
    const { code, stderr } = await run('--route', await file('bad.yaml', text), await mailbox('four'));
    expect(stderr).toContain(sentence);
    expect(code).toBe(1);
  });

  it.each([
    ['no account at all', ['x'], 'name the account with --account, or routes to accounts with --route'],
    [
      'a root with an account',
      ['--watch-root', 'x', '--account', 'acme'],
      "cannot be used with option '--account",
    ],
  ])('refuses %s', async (_, args, sentence) => {
    const { code, stderr } = await run(...args);
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });
});
