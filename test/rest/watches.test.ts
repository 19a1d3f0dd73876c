import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finding, NOW, open, personal, plan, policyFinding, watch } from '../support/fixtures.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada'));
});
afterAll(() => service.close());

const get = async (path: string, as = key) => {
  const { status, text } = await service.get(`/v1/watches/${path}`, as);
  return [status, text];
};
const NOT_ENROLLED = [404, '{"error":"Domain is not enrolled"}'];

describe('GET /v1/watches/{product}', () => {
  it('returns an empty list when there are no watches', async () => {
    for (const product of ['script', 'data', 'frame', 'policy']) {
      expect(await get(product)).toEqual([200, '{"watches":[]}']);
    }
  });

  it('lists the watches of a product, sorted by site', async () => {
    const webhook = {
      webhookEnabled: true,
      webhookTarget: 'https://hooks.example/1',
      alertThreshold: 2 ** 40,
    };
    await service.load(
      watch('ada', 'script', 'www.example.com'),
      watch('ada', 'script', 'shop.example.com', { ...webhook, emailAlertsEnabled: false }),
      watch('ada', 'script', '*.example.com'),
      watch('ada', 'policy', 'www.example.com', { webhookTarget: null, alertThreshold: 0 }),
    );
    const plainSite = (site: string) => ({
      site,
      emailAlertsEnabled: true,
      webhookEnabled: false,
      webhookTarget: null,
      alertThreshold: 10,
    });
    const watches = [
      plainSite('*.example.com'),
      { ...plainSite('shop.example.com'), ...webhook, emailAlertsEnabled: false },
      plainSite('www.example.com'),
    ];
    expect(await get('script')).toEqual([200, JSON.stringify({ watches })]);
    expect(await get('policy')).toEqual([
      200,
      JSON.stringify({ watches: [{ ...plainSite('www.example.com'), alertThreshold: 0 }] }),
    ]);
    expect(await get('data')).toEqual([200, '{"watches":[]}']);
  });

  it('reads the product only from the path', async () => {
    expect(await get('data?product=script')).toEqual([200, '{"watches":[]}']);
  });
});

describe.each(['script', 'data', 'frame'])('findings of the %s watch', product => {
  const site = `${product}.example.com`;

  it('are empty for a new watch, while an unknown domain returns 404', async () => {
    expect(await get(`${product}/${site}`)).toEqual(NOT_ENROLLED);
    await service.load(watch('ada', product, site));
    expect(await get(`${product}/${site}`)).toEqual([200, '{"findings":[]}']);
  });

  it('are sorted by the time they were last seen, newest first, and by address', async () => {
    const found = (uri: string, lastSeen: string, fields = {}) =>
      finding('ada', product, site, uri, { lastSeen, ...fields });
    await service.load(
      found('https://b.example/', '2026-05-03T00:00:00Z'),
      found('https://a.example/', '2026-05-03T02:00:00+02:00', { source: 'csp_integrity' }),
      found('https://a.example/é', '2026-05-03T00:00:00Z', { source: 'integrity_policy', count: 2 ** 50 }),
      found('https://old.example/', '2026-04-01T00:00:00Z'),
      found('https://new.example/', '2026-05-03T00:00:00.5Z'),
    );
    const shown = (uri: string, lastSeen: string, fields = {}) => ({
      uri,
      count: 1,
      firstSeen: '2026-05-01T00:00:00+00:00',
      lastSeen,
      source: 'csp',
      ...fields,
    });
    const findings = [
      shown('https://new.example/', '2026-05-03T00:00:00+00:00'),
      shown('https://a.example/', '2026-05-03T00:00:00+00:00', { source: 'csp_integrity' }),
      shown('https://a.example/é', '2026-05-03T00:00:00+00:00', {
        source: 'integrity_policy',
        count: 2 ** 50,
      }),
      shown('https://b.example/', '2026-05-03T00:00:00+00:00'),
      shown('https://old.example/', '2026-04-01T00:00:00+00:00'),
    ];
    expect(await get(`${product}/${site}`)).toEqual([200, JSON.stringify({ findings })]);
  });
});

describe('findings of the policy watch', () => {
  it('are sorted by the time they were last seen, newest first, and by policy', async () => {
    await service.load(
      watch('ada', 'policy', 'policy.example.com'),
      policyFinding('ada', 'policy.example.com', "default-src 'self'", { count: 3 }),
      policyFinding('ada', 'policy.example.com', "default-src 'none'", { enforced: false }),
      policyFinding('ada', 'policy.example.com', 'img-src *', { lastSeen: '2026-05-04T12:00:00Z' }),
    );
    const shown = (policy: string, fields = {}) => ({
      policy,
      enforced: true,
      count: 1,
      firstSeen: '2026-05-01T00:00:00+00:00',
      lastSeen: '2026-05-02T00:00:00+00:00',
      ...fields,
    });
    const findings = [
      shown('img-src *', { lastSeen: '2026-05-04T12:00:00+00:00' }),
      shown("default-src 'none'", { enforced: false }),
      shown("default-src 'self'", { count: 3 }),
    ];
    expect(await get('policy/policy.example.com')).toEqual([200, JSON.stringify({ findings })]);
  });
});

describe('the domain of a watch', () => {
  it('is compared like a host name', async () => {
    await service.load(watch('ada', 'frame', 'WWW.Example.net.'), watch('ada', 'frame', 'bücher.example'));
    const forms = [
      'www.example.net',
      'WWW.EXAMPLE.NET',
      'www.example.net.',
      'www.example.net:443',
      'www%2Eexample.net',
      'bücher.example',
      'B%C3%9CCHER.example',
      'xn--bcher-kva.example',
    ];
    for (const domain of forms) {
      expect(await get(`frame/${encodeURI(decodeURI(domain))}`), domain).toEqual([200, '{"findings":[]}']);
    }
  });

  it('is listed as the account wrote it', async () => {
    const { body } = await service.get('/v1/watches/frame', key);
    expect(body.watches.map(({ site }: { site: string }) => site)).toContain('WWW.Example.net.');
  });

  it('matches only the exact domain and product', async () => {
    for (const path of [
      'script/www.example.net',
      'policy/www.example.net',
      'frame/example.net',
      'frame/a.www.example.net',
      'frame/*.example.net',
      'frame/*',
      'frame/%25',
      'frame/www.example.net%20x',
      `frame/${'a'.repeat(2048)}`,
      // Nothing is left of these texts, or they are too long to be sent.
      'frame/%20.',
      'frame/%20',
      'frame/%0D%0A',
      'frame/%EF%BB%BF',
      `frame/${'%C3%A9.'.repeat(1000)}`,
    ]) {
      expect(await get(path), path).toEqual(NOT_ENROLLED);
    }
  });

  it('is compared literally when it contains wildcards', async () => {
    await service.load(watch('ada', 'data', '*.Example.org'));
    expect((await get('data/*.example.org'))[0]).toBe(200);
    expect(await get('data/www.example.org')).toEqual(NOT_ENROLLED);
  });

  it.each(['%00', 'a%00.example', '%zz', '%', 'a'.repeat(2049)])(
    'returns 400 for the invalid value %s',
    async domain => {
      for (const product of ['script', 'policy']) {
        expect(await get(`${product}/${domain}`)).toEqual([
          400,
          '{"error":"Invalid value for parameter: domain"}',
        ]);
      }
    },
  );

  it('returns 404 to another account', async () => {
    const other = await open(service, personal('bob'), plan('bob'));
    expect(await get('frame/www.example.net', other)).toEqual(NOT_ENROLLED);
  });
});
