import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BadRoute, Routes } from '@sightline/importer';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aggregateXml, importBytes, mailWith, toMbox } from '../../packages/importer/test/reports.ts';
import { account, createFeedDatabase, type FeedDatabase, type Line } from '../feed/lines.ts';
import { watch } from '../support/fixtures.ts';
import { sightlineHere } from '../support/sightline.ts';

describe('the routes of an import', () => {
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
  ])('map "%s" to the account %s', (host, expected) => {
    expect(routes.accountOf(host)).toBe(expected);
  });

  it('prefer the longest matching pattern, regardless of the order', () => {
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

  it.each(['*.acme.example', '*a*.acme.example', '*'])(
    'prefer an exact name to the pattern "%s"',
    pattern => {
      const both: [string, string][] = [
        [pattern, 'any'],
        ['a.acme.example', 'own'],
      ];
      for (const made of [new Routes(both), new Routes(both.toReversed())]) {
        const hosts = ['a.acme.example', 'A.ACME.EXAMPLE.', 'ba.acme.example'];
        expect(hosts.map(host => made.accountOf(host))).toEqual(['own', 'own', 'any']);
      }
    },
  );

  it.each([
    ['a-*.example', 'a-.example'],
    ['a-*.example', 'a-b.c.example'],
    ['**.example', 'a.example'],
    ['*.acme.example', 'a.acme.example'],
    ['*.acme.example', 'a.acmexexample'],
    ['a.*', 'b.a.example'],
    ['a.*', 'a.example'],
    ['*.example', 'a.example.org'],
  ])('match a host only if the pattern "%s" matches all of it: %s', (pattern, host) => {
    const matching = ['a-.example', 'a-b.c.example', 'a.example', 'a.acme.example'];
    expect(new Routes([[pattern, 'any']]).accountOf(host)).toBe(matching.includes(host) ? 'any' : undefined);
  });

  it.each([
    ['b*.acme.example', 'acme.example', 'any'],
    ['*e', 'acme.example', 'own'],
    ['*.example', 'acme.example', 'own'],
  ])(
    'prefer the longer of the pattern "%s" and a name above the host, "%s": %s',
    (pattern, name, account) => {
      const made = new Routes([
        [pattern, 'any'],
        [name, 'own'],
      ]);
      expect(made.accountOf('b1.acme.example')).toBe(account);
    },
  );

  it('name each account once, and have the same text in any order', () => {
    const list: [string, string][] = [
      ['b.example', 'two'],
      ['A.example.', 'one'],
      ['c.example', 'two'],
      ['a.example', 'one'],
    ];
    const made = new Routes(list);
    expect(made.accounts).toEqual(['two', 'one']);
    expect(made.text).toBe('[["a.example","one"],["b.example","two"],["c.example","two"]]');
    expect(new Routes(list.toReversed()).text).toBe(made.text);
  });

  it.each(['', ' ', 'a b.example', 'a@b.example', 'https://a.example', 'a.example/b', 'mü*.example'])(
    'reject the name "%s"',
    name => {
      expect(
        () =>
          new Routes([
            ['a.example', 'one'],
            [name, 'two'],
          ]),
      ).toThrow(new BadRoute(`"${name}" is not a host name`));
    },
  );

  it('reject a name that has another account in another form', () => {
    expect(
      () =>
        new Routes([
          ['a.example', 'one'],
          ['A.Example.', 'two'],
        ]),
    ).toThrow(new BadRoute('"A.Example." is routed to both one and two'));
  });

  it('prefer the longest matching name, for random names', () => {
    const label = fc.constantFrom('a', 'b', 'c');
    const name = fc.array(label, { minLength: 1, maxLength: 4 }).map(labels => labels.join('.'));
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 8 }), name, (names, host) => {
        const made = new Routes(names.map(existing => [existing, `of ${existing}`]));
        const above = names.filter(existing => host === existing || host.endsWith(`.${existing}`));
        const longest = above.sort((one, other) => other.length - one.length)[0];
        expect(made.accountOf(host)).toBe(longest === undefined ? undefined : `of ${longest}`);
      }),
    );
  });
});

/** Makes an aggregate report about a domain, including its From header. */
const about = (domain: string, headerFrom: string, id = domain) =>
  aggregateXml([{ count: 1 }], id)
    .replace(/<domain>[^<]*<\/domain>(?=[\s\S]*<p>)/, `<domain>${domain}</domain>`)
    .replace(/<header_from>[^<]*/g, `<header_from>${headerFrom}`);

describe('an import with routes', () => {
  const routes = new Routes([
    ['acme.example', 'acme'],
    ['shop.acme.example', 'shop'],
    ['other.example', 'other'],
    ['notacme.example', 'similar'],
  ]);
  const accounts = async (bytes: string, more: object = {}) => {
    const { records } = await importBytes(bytes, { accountId: undefined, routes, ...more });
    return records.map(({ accountId }) => accountId);
  };

  it('assigns a DMARC row by its From header if that is within the reported domain', async () => {
    expect(await accounts(about('acme.example', 'acme.example'))).toEqual(['acme']);
    expect(await accounts(about('acme.example', 'shop.acme.example'))).toEqual(['shop']);
    expect(await accounts(about('acme.example', 'other.example'))).toEqual(['acme']);
    expect(await accounts(about('acme.example', 'notacme.example'))).toEqual(['acme']);
    expect(await accounts(about('nobody.example', 'other.example'))).toEqual([]);
    expect(await accounts(about('nobody.example', 'x.example'), { accountId: 'rest' })).toEqual(['rest']);
  });

  it('assigns browser reports by the host of their page', async () => {
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
      toMbox(
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

  it('lists the domains without an account, and imports their reports with --account', async () => {
    const routes = await file('routes.yaml', '# whose\nacme.example: acme\n');
    const { code, stderr } = await run('--route', routes, await mailbox('one'));
    expect(stderr).toMatch(/^Imported dmarc 2; 4 items read; .*; of no account: x\.example 2; \d/);
    expect(code).toBe(3);
    expect(await stored()).toEqual([['acme', 2]]);
    const repeated = await run('--json', '--route', routes, '--account', 'rest', await mailbox('one'));
    expect(repeated.code).toBe(0);
    expect(JSON.parse(repeated.stderr)).toMatchObject({ records: { dmarc: 2 }, repeated: 2, unrouted: {} });
    expect(await stored()).toEqual([
      ['acme', 2],
      ['rest', 2],
    ]);
  });

  it('accepts "accounts", JSON files, and numeric account ids', { tags: 'slow' }, async () => {
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

  it('"accounts" routes by the watched hosts, of which there must be one, for one account each', async () => {
    const of = async (...lines: Line[]) => {
      await database.load(...lines);
      return run('--route', 'accounts', await mailbox('watched'));
    };
    const [own, other] = [watch('acme', 'script', 'acme.example'), watch('rest', 'script', 'acme.example')];
    const found = await of();
    expect([found.code, found.stderr]).toEqual([3, expect.stringMatching(/of no account: x\.example 2; /)]);
    expect(await of(other)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^--route accounts: "acme\.example" is routed to both (acme and rest|rest and acme): use a file of routes instead\n$/,
      ),
    });
    expect(await of({ ...own, deleted: true }, { ...other, deleted: true })).toMatchObject({
      code: 1,
      stderr: '--route accounts: no account has a host: "sightline account change --host" gives one\n',
    });
    await database.load(own);
  });

  it('names a file of routes that cannot be read', async () => {
    const { code, stderr } = await run('--route', join(folder, 'nowhere'), await mailbox('four'));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/nowhere cannot be read: ENOENT/)]);
  });

  it.each([
    ['no content', '', 'must have a host name and the id of its account on each line'],
    ['a list', '- acme', 'must have a host name and the id of its account on each line'],
    ['invalid YAML', 'a: b\n\tc: [', ':2: is neither YAML nor JSON'],
    ['a URL', 'https://acme.example/: acme', '"https://acme.example/" is not a host name'],
    [
      'a duplicate host',
      'acme.example: acme\nACME.example: rest',
      '"ACME.example" is routed to both acme and rest',
    ],
    ['an empty account', 'acme.example: ""', 'must have a host name and the id of its account on each line'],
    ['an unknown account of digits', 'acme.example: 007', 'There is no account "007": nothing was imported.'],
    ['an unknown account', 'acme.example: gone', 'There is no account "gone": nothing was imported.'],
  ])('rejects a route file with %s', async (_, text, sentence) => {
    const { code, stderr } = await run('--route', await file('bad.yaml', text), await mailbox('four'));
    expect(stderr).toContain(sentence);
    expect(code).toBe(1);
  });

  it.each([
    [
      'an import without an account',
      ['x'],
      'name the account with --account, or routes to accounts with --route',
    ],
    [
      'a watched root with an account',
      ['--watch-root', 'x', '--account', 'acme'],
      "cannot be used with option '--account",
    ],
  ])('rejects %s', async (_, args, sentence) => {
    const { code, stderr } = await run(...args);
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });
});
