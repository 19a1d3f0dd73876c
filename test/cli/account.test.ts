import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueKey } from '../../src/keys/issue.ts';
import { personal, plan, report, team, watch } from '../support/fixtures.ts';
import { connectOperator } from '../support/operator.ts';
import { startService, type TestService } from '../support/service.ts';
import { sightlineHere } from '../support/sightline.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

const run = (...args: string[]) => sightlineHere(['account', ...args], { DATABASE_URL: service.databaseUrl });
const createAccount = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await run('create', ...args, '--key');
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout.trim();
};
const body = async (path: string, key: string) => (await service.get(path, key)).body;

describe('sightline account create', () => {
  it('creates a team with all features and without a quota', async () => {
    const people = ['--email', 'ann@acme.example', '--email', 'bob@acme.example'];
    const key = await createAccount('acme', ...people, '--retention', '900');
    expect(await body('/v1/team', key)).toMatchObject({
      teamName: 'acme',
      members: [
        { email: 'ann@acme.example', role: 'owner' },
        { email: 'bob@acme.example', role: 'member' },
      ],
    });
    expect(await body('/v1/plan', key)).toMatchObject({ status: 'active', dataRetentionDays: 900 });
    expect(await body('/v1/quota', key)).toMatchObject({ used: 0, limit: Number.MAX_SAFE_INTEGER });
    const day = new Date().toISOString().slice(0, 10);
    expect((await service.get(`/v1/reports/csp?unit=days&date=${day}&anyThreatIntel=true`, key)).status).toBe(
      200,
    );
    expect((await service.get('/v1/setup', key)).status).toBe(404);
  });

  it('creates the setup from the addresses, and a watch of each kind for each host', async () => {
    const addresses = [
      '--collector',
      'https://reports.example/r/token//',
      '--rua',
      'mailto:dmarc@one.example',
    ];
    const key = await createAccount(
      'mail',
      '--type',
      'personal',
      '--email',
      'ann@one.example',
      ...addresses,
      '--host',
      'One.example',
      '--host',
      'two.example',
    );
    expect(await body('/v1/setup', key)).toMatchObject({
      reportUri: {
        enforce: 'https://reports.example/r/token/enforce',
        reportOnly: 'https://reports.example/r/token/report',
        wizard: 'https://reports.example/r/token/wizard',
      },
      reportingApi: { group: 'default', endpoints: [{ url: 'https://reports.example/r/token' }] },
      nel: { report_to: 'default' },
      dmarc: 'dmarc@one.example',
      tlsRpt: 'dmarc@one.example',
    });
    for (const product of ['script', 'data', 'frame', 'policy']) {
      const { watches } = await body(`/v1/watches/${product}`, key);
      expect(watches.map(({ site }: { site: string }) => site)).toEqual(['One.example', 'two.example']);
    }
  });

  it('prints feed lines with --to-feed, which a load accepts', async () => {
    const { code, stdout, stderr } = await sightlineHere(
      ['account', 'create', 'printed', '--rua', 'a@b.example', '--key', '--to-feed', '-'],
      {},
    );
    expect(code).toBe(0);
    const lines = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines.map(({ kind }) => kind)).toEqual(['account', 'plan', 'setup', 'apiKey']);
    await service.load(...lines);
    const [key = ''] = /svc_t_\w+/.exec(stderr) ?? [];
    expect(stdout).not.toContain(key);
    expect(await body('/v1/setup', key)).toMatchObject({ dmarc: 'a@b.example', reportUri: { enforce: '' } });
  });

  it('accepts the account name after --host', async () => {
    await createAccount('--host', 'behind.example', 'behind');
    expect((await run('show', 'behind')).stdout).toContain('Hosts      behind.example');
  });

  it('does not overwrite an existing account', async () => {
    const { code, stderr } = await run('create', 'acme');
    expect(stderr).toBe('Account acme already exists: "sightline account show acme"\n');
    expect(code).toBe(1);
    expect((await run('create', 'fresh')).stderr).toBe('Created account fresh.\n');
    expect((await run('create', 'keyed', '--key')).stderr).toBe(
      'Created account keyed. Its key is shown only once:\n',
    );
  });

  it.each([
    ['an id that is no safe folder name', ['../x'], 'Use at most 128 letters, digits'],
    ['an id of 129 letters', ['x'.repeat(129)], 'Use at most 128 letters, digits'],
    ['a personal account without an email address', ['x', '--type', 'personal'], 'needs exactly one --email'],
    [
      'a personal account with two email addresses',
      ['x', '--type', 'personal', '--email', 'a@x.example', '--email', 'b@x.example'],
      'needs exactly one --email',
    ],
    ['another type of account', ['x', '--type', 'group'], 'Allowed choices are team, personal.'],
    ['a URL as host', ['x', '--host', 'https://x.example/'], 'Use a host name'],
    ['an invalid report address', ['x', '--rua', 'reports'], 'Use an address'],
    ['a collector address with a query', ['x', '--collector', 'https://x.example/?a'], 'Give it as https://'],
    ['an excessive retention', ['x', '--retention', '3661'], 'from 1 to 3660'],
  ])('rejects %s', async (_, args, sentence) => {
    const { code, stderr } = await run('create', ...args);
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });
});

describe('sightline account change', () => {
  it('extends the retention and adds watches for new hosts', { tags: 'slow' }, async () => {
    const key = await createAccount('grown', '--host', 'one.example');
    await service.load(watch('grown', 'script', 'one.example', { emailAlertsEnabled: true }));
    const more = ['--host', 'One.example', '--host', 'two.example'];
    const { code, stderr } = await run('change', 'grown', '--retention', '900', ...more);
    expect([code, stderr]).toEqual([0, 'Changed account grown.\n']);
    expect(await body('/v1/plan', key)).toMatchObject({ dataRetentionDays: 900, status: 'active' });
    expect(await body('/v1/watches/script', key)).toMatchObject({
      watches: [
        { site: 'one.example', emailAlertsEnabled: true },
        { site: 'two.example', emailAlertsEnabled: false },
      ],
    });
  });

  it.each([
    ['an unknown account', ['nobody', '--retention', '9'], 1, 'There is no account nobody'],
    ['a plan that came from a feed', ['fed', '--retention', '9'], 1, 'has a plan from a feed'],
    ['a command without a change', ['fed'], 2, 'Give --retention or --host'],
  ])('rejects %s', async (_, args, expected, sentence) => {
    await service.load(team('fed'), plan('fed'));
    const { code, stderr } = await run('change', ...args);
    expect(stderr).toContain(sentence);
    expect(code).toBe(expected);
  });
});

describe('sightline account list, show and delete', () => {
  it.each([
    ['first', '2026-05-02', '2026-05-01'],
    ['last', '2026-05-01', '2026-05-02'],
  ])('name the newest day of all types, if it is the %s one', async (name, csp, tlsRpt) => {
    await createAccount(name, '--retention', '3650');
    await service.load(
      report(name, 'csp', 'c', { date: `${csp}T23:00:00Z` }),
      report(name, 'tls_rpt', 't', { date: `${tlsRpt}T01:00:00Z` }),
    );
    expect((await run('list')).stdout).toMatch(new RegExp(`^${name} .* 2026-05-02 +-$`, 'm'));
    expect((await run('show', name)).stdout).toContain('the newest of 2026-05-02');
  });

  it('show everything about an account, in two forms', async () => {
    await service.load(
      personal('bare', { email: 'ann@bare.example', createdAt: '2026-01-02T03:04:05Z' }),
      team('full', {
        createdAt: '2026-01-02T03:04:05Z',
        members: ['ann', 'bob'].map(name => ({ email: `${name}@full.example`, role: 'owner' })),
      }),
      plan('full', { dataRetentionDays: 900 }),
      ...['two.example', 'one.example'].map(host => watch('full', 'script', host)),
      watch('full', 'policy', 'one.example'),
      report('full', 'tls_rpt', 't', { date: '2026-05-01T10:00:00Z', count: 4 }),
      report('full', 'csp', 'c', { date: '2026-05-02T10:00:00Z', count: 2 }),
    );
    expect((await run('show', 'bare')).stdout.trimEnd().split('\n')).toEqual([
      'Account bare, personal, created at 2026-01-02T03:04:05+00:00',
      '  Plan       none: the free plan, whose API is available for 30 days',
      '  Retention  that of the service',
      '  People     ann@bare.example',
      '  Hosts      none',
      '  Keys       0',
      '  Reports    none yet',
    ]);
    expect((await run('show', 'full')).stdout.trimEnd().split('\n')).toEqual([
      'Account full, team, created at 2026-01-02T03:04:05+00:00',
      '  Plan       business_2026',
      '  Retention  900 days',
      '  People     ann@full.example bob@full.example',
      '  Hosts      one.example two.example',
      '  Keys       0',
      '  Reports    csp 2, the newest of 2026-05-02',
      '  Reports    tls_rpt 4, the newest of 2026-05-01',
    ]);
    expect(JSON.parse((await run('show', 'full', '--json')).stdout)).toEqual({
      id: 'full',
      type: 'team',
      emails: ['ann@full.example', 'bob@full.example'],
      createdAt: '2026-01-02T03:04:05+00:00',
      dataRetentionDays: 900,
      plan: 'business_2026',
      hosts: ['one.example', 'two.example'],
      keys: 0,
      reports: { csp: 2, tls_rpt: 4 },
      newest: { csp: '2026-05-02', tls_rpt: '2026-05-01' },
    });
    expect((await run('delete', 'full')).stderr).toBe(
      '6 counted reports and 0 keys would be deleted with account full: add --yes to confirm\n',
    );
  });

  it('count only keys that are valid now', async () => {
    await service.load(team('holder'));
    const ofKeys = async () =>
      JSON.parse((await run('list', '--json')).stdout).find(({ id }: { id: string }) => id === 'holder').keys;
    expect(await ofKeys()).toBe(0);
    const sql = connectOperator(service.databaseUrl);
    const issue = (expiresAt: Date | null) =>
      issueKey(sql, 'team', { accountId: 'holder', name: null, expiresAt });
    const hour = 3_600_000;
    await issue(null);
    await issue(new Date(Date.now() + hour));
    await issue(new Date(Date.now() - hour));
    expect(await ofKeys()).toBe(2);
    await sql`update api_key set revoked_at = now() + interval '1 hour' where account_id = 'holder' and expires_at is null`;
    expect(await ofKeys()).toBe(2);
    await sql`update api_key set revoked_at = now() where account_id = 'holder' and expires_at is null`;
    expect(await ofKeys()).toBe(1);
    await sql.end();
  });

  it('show the contents of an account and delete it with all of them', { tags: 'slow' }, async () => {
    const key = await createAccount('gone', '--host', 'gone.example');
    const date = new Date().toISOString();
    await service.load(report('gone', 'dmarc', 'r', { date, count: 7 }));
    const shown = await run('show', 'gone');
    expect(shown.stderr).toBe('');
    expect(shown.stdout).toContain(`Reports    dmarc 7, the newest of ${date.slice(0, 10)}`);
    expect(shown.stdout).toContain('Hosts      gone.example');
    const listed = await run('list');
    expect(listed.stdout).toMatch(/^ID +TYPE +PLAN +DAYS +KEYS +REPORTS +NEWEST +HOSTS$/m);
    expect(listed.stdout).toMatch(
      new RegExp(`^gone +team +own +400 +1 +7 +${date.slice(0, 10)} +gone\\.example$`, 'm'),
    );
    expect(JSON.parse((await run('list', '--json')).stdout)).toContainEqual(
      expect.objectContaining({ id: 'gone', hosts: ['gone.example'], keys: 1, reports: { dmarc: 7 } }),
    );

    const requested = await run('delete', 'gone');
    expect(requested.code).toBe(1);
    expect(requested.stderr).toBe(
      '7 counted reports and 1 key would be deleted with account gone: add --yes to confirm\n',
    );
    expect((await service.get('/v1/me', key)).status).toBe(200);
    expect(await run('delete', 'gone', '--yes')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Deleted account gone, with 7 counted reports and 1 key.\n',
    });
    expect((await service.get('/v1/me', key)).status).toBe(401);
    expect(await run('show', 'gone')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no account gone: "sightline account list" shows all\n',
    });

    // An account that is created again contains no data of the previous one.
    const anew = await createAccount('gone');
    expect(await body('/v1/quota', anew)).toMatchObject({ used: 0 });
  });
});
