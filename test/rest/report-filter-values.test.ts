import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REPORT_FILTERS } from '../../sql/report/filters.ts';
import { NOW, open, personal, plan, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;
let plain: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada', {}, THREAT_INTELLIGENCE));
  plain = await open(service, personal('bob'), plan('bob'));
});
afterAll(() => service.close());

const get = (type: string, query: string, as = key) =>
  service.get(`/v1/reports/${type}?unit=days&date=2026-05-20&${query}`, as);

/** The filters, each with a report type that supports it. */
const HOSTS = [
  ['hostnames', 'nel'],
  ['hostnames', 'dmarc'],
  ['hostnames', 'certificate_transparency'],
  ['blockedHostnames', 'csp'],
  ['subresourceHostnames', 'csp_integrity'],
] as const;
const PATHS = [
  ['paths', 'nel'],
  ['blockedPaths', 'coep'],
  ['subresourcePaths', 'csp_integrity'],
  ['subresourceHashes', 'csp_integrity'],
] as const;
const TEXTS = [
  ['effectiveDirective', 'csp'],
  ['browser', 'crash'],
  ['platform', 'coop'],
  ['nelType', 'nel'],
  ['organisation', 'dmarc'],
  ['id', 'tls_rpt'],
  ['issuer', 'certificate_transparency'],
  ['sha256Spki', 'certificate_transparency'],
  ['policyId', 'csp'],
  ['message', 'deprecation'],
  ['policy', 'csp'],
  ['property', 'permissions_policy'],
  ['destination', 'coep'],
] as const;
const ENUMERATIONS = [
  ['action', 'csp', 'enforced'],
  ['action', 'integrity_policy', 'reportOnly'],
  ['phase', 'nel', 'dns'],
  ['disposition', 'permissions_policy', 'report'],
  ['disposition', 'coep', 'reporting'],
  ['disposition', 'coop', 'enforce'],
  ['certType', 'certificate_transparency', 'certificate'],
] as const;
const FLAGS = [
  ['ioc', 'csp'],
  ['ioc', 'csp_integrity'],
  ['generatedDomain', 'csp'],
  ['suspicious', 'integrity_policy'],
  ['newlyRegisteredDomain', 'csp_integrity'],
  ['anyThreatIntel', 'csp'],
] as const;

async function accept(type: string, query: string): Promise<void> {
  const { status, text } = await get(type, query);
  expect([status, text], query.slice(0, 80)).toEqual([200, '{"reports":[],"truncated":false}']);
}

async function refuse(type: string, name: string, query: string): Promise<void> {
  const { status, text } = await get(type, query);
  const error = `Invalid value for parameter: ${name}`;
  expect([status, text], query.slice(0, 80)).toEqual([400, JSON.stringify({ error })]);
}

const KNOWN_VALUES = ENUMERATIONS.map(([name, type]) => [name, type] as const);
const SINGLE = [...TEXTS, ...KNOWN_VALUES, ...FLAGS, ['domainReputationScore', 'csp'] as const];
const ALL = [...HOSTS, ...PATHS, ...SINGLE];

it('covers every report filter', () => {
  const missing = REPORT_FILTERS.map(({ name }) => name).filter(
    name => !ALL.some(([existing]) => existing === name),
  );
  expect(missing, 'add it to the list of its kind in this test').toEqual([]);
});

it.each(ALL)('rejects empty values, NUL bytes and invalid percent-encoding: %s of %s', async (name, type) => {
  for (const value of ['', '%00', 'a%00b', '%zz', '%', 'a%f', '%ff', '%c3%28', '%ed%a0%80']) {
    await refuse(type, name, `${name}=${value}`);
  }
  await refuse(type, name, name);
});

it.each(SINGLE)('rejects a repeated parameter: %s of %s', async (name, type) => {
  await refuse(type, name, `${name}=true&${name}=true`);
  await refuse(type, name, `${name}=true&x=1&${name}=`);
});

describe.each([...HOSTS, ...PATHS])('the list filter %s of %s', (name, type) => {
  const isHost = HOSTS.some(([host]) => host === name);
  const longest = isHost ? 253 : 2048;

  it('accepts at most 50 items', async () => {
    const items = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`).join();
    await accept(type, `${name}=${items(50)}`);
    await refuse(type, name, `${name}=${items(51)}`);
  });

  it('combines repeated parameters into one list', async () => {
    const items = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`).join();
    await accept(type, `${name}=${items(25)}&${name}=${items(25)}`);
    await refuse(type, name, `${name}=${items(25)}&${name}=${items(26)}`);
  });

  it('rejects empty items', async () => {
    for (const value of ['a,', ',a', 'a,,b', ',', 'a, ,b', `a&${name}=`]) {
      await refuse(type, name, `${name}=${value}`);
    }
  });

  it(`accepts items of at most ${longest} characters`, async () => {
    await accept(type, `${name}=${'a'.repeat(longest)}`);
    await accept(type, `${name}=b,${'é'.repeat(longest)}`);
    await accept(type, `${name}=b,${'𝒳'.repeat(longest)}`);
    await refuse(type, name, `${name}=b,${'𝒳'.repeat(longest + 1)}`);
    await refuse(type, name, `${name}=${'a'.repeat(longest + 1)}`);
    await refuse(type, name, `${name}=b,${'a'.repeat(longest + 1)}`);
  });

  it('accepts 50 items of the maximum length', async () => {
    const items = Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(longest, 'x'));
    await accept(type, `${name}=${items.join()}`);
    await refuse(type, name, `${name}=${items.join()},x`);
  });

  it('accepts any number of wildcards', async () => {
    for (const value of ['*', '**', '*'.repeat(longest), '*a*b*c*', '.*.', '*.*.*', 'a*']) {
      await accept(type, `${name}=${value}`);
    }
  });
});

it.each(TEXTS.filter(([name]) => name !== 'policy'))(
  'accepts at most 2048 characters: %s of %s',
  async (name, type) => {
    await accept(type, `${name}=${'a'.repeat(2048)}`);
    await accept(type, `${name}=${'𝒳'.repeat(2048)}`);
    await refuse(type, name, `${name}=${'𝒳'.repeat(2049)}`);
    await refuse(type, name, `${name}=${'a'.repeat(2049)}`);
    await refuse(type, name, `${name}=${'a'.repeat(15_000)}`);
  },
);

it('accepts at most 16,384 characters of a policy, the maximum length of policies', async () => {
  await accept('csp', `policy=${'a'.repeat(16_384)}`);
  await refuse('csp', 'policy', `policy=${'a'.repeat(16_385)}`);
});

it.each(ENUMERATIONS)('accepts only known values, ignoring case: %s of %s', async (name, type, value) => {
  await accept(type, `${name}=${value}`);
  await accept(type, `${name}=${value.toUpperCase()}`);
  for (const bad of ['x', `${value}s`, `${value}%20`, `${value},${value}`, 'constructor', '*', 'true']) {
    await refuse(type, name, `${name}=${bad}`);
  }
});

it('accepts only the disposition values of the report type', async () => {
  await refuse('permissions_policy', 'disposition', 'disposition=reporting');
  await refuse('coep', 'disposition', 'disposition=report');
  await refuse('coop', 'disposition', 'disposition=report');
});

it.each(FLAGS)('accepts only true and false: %s of %s', async (name, type) => {
  await accept(type, `${name}=true`);
  await accept(type, `${name}=false`);
  for (const bad of [
    'True',
    'TRUE',
    'False',
    '1',
    '0',
    'yes',
    'on',
    'null',
    'true%20',
    'true,true',
    'truee',
  ]) {
    await refuse(type, name, `${name}=${bad}`);
  }
});

it.each(['csp', 'csp_integrity', 'integrity_policy'])(
  'accepts only integers from 0 to 100 as domainReputationScore of %s',
  async type => {
    for (const value of ['0', '1', '9', '10', '99', '100'])
      await accept(type, `domainReputationScore=${value}`);
    const bad = [
      '-1',
      '-0',
      '101',
      '1000',
      '1.0',
      '1.5',
      '1e1',
      '0x10',
      '+5',
      '%205',
      '5%20',
      '05',
      '1,2',
      'a',
      'NaN',
    ];
    for (const value of [...bad, '٣', '9'.repeat(400)]) {
      await refuse(type, 'domainReputationScore', `domainReputationScore=${value}`);
    }
    await refuse(type, 'domainReputationScore', 'domainReputationScore=1&domainReputationScore=2');
  },
);

it('rejects invalid values even if anyThreatIntel would ignore them', async () => {
  await refuse('csp', 'ioc', 'anyThreatIntel=true&ioc=1');
  await refuse('csp', 'domainReputationScore', 'anyThreatIntel=true&domainReputationScore=101');
});

describe('without the Threat Intelligence feature', () => {
  it.each([...FLAGS.map(([name, type]) => [`${name}=true`, type]), ['domainReputationScore=100', 'csp']])(
    'returns 403 for %s of %s',
    async (query, type) => {
      const { status, text } = await get(type!, query!, plain);
      expect([status, text]).toEqual([403, '{"error":"Threat Intelligence is not included in your plan"}']);
    },
  );

  it.each(FLAGS)('ignores %s=false of %s', async (name, type) => {
    expect((await get(type, `${name}=false`, plain)).status).toBe(200);
  });

  it('returns 400 for invalid values before checking the feature', async () => {
    expect((await get('csp', 'ioc=true&suspicious=1', plain)).status).toBe(400);
    expect((await get('csp', 'domainReputationScore=101', plain)).status).toBe(400);
    expect((await get('nel', 'ioc=true', plain)).status).toBe(400);
  });
});

it.each(HOSTS)('rejects wildcards in a label that Punycode would change: %s of %s', async (name, type) => {
  for (const value of ['*bücher.example', 'bü*.example', 'a.*ß', 'a,*.bü*cher.example', '*。example']) {
    await refuse(type, name, `${name}=${value}`);
  }
  for (const value of ['*.bücher.example', 'bücher.*', '*BUCHER.example', '*xn--bcher-kva.example']) {
    await accept(type, `${name}=${value}`);
  }
});

it.each(PATHS)(
  'rejects a query or fragment in a path filter, but not in a hash filter: %s of %s',
  async (name, type) => {
    const check =
      name === 'subresourceHashes' ? accept : (type: string, query: string) => refuse(type, name, query);
    for (const value of ['/a?b', '*?b', '?', '/a#b', '/a,/b*#', '/*?*']) {
      await check(type, `${name}=${encodeURIComponent(value)}`);
    }
    await accept(type, `${name}=${encodeURIComponent('/a%3Fb%23*')}`);
  },
);
