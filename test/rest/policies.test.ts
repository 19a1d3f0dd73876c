import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, open, personal, plan, savedPolicy } from '../support/fixtures.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada'));
});
afterAll(() => service.close());

const get = async (path: string, as = key) => {
  const { status, text } = await service.get(`/v1${path}`, as);
  return [status, text];
};
const NOT_FOUND = [404, '{"error":"Policy not found"}'];

describe('GET /v1/policies/csp', () => {
  const saved = [
    { id: 'é1', name: 'Main', policy: '' },
    { id: 'a2', name: 'Main', policy: "default-src 'self'" },
    { id: 'a/3 ?&%', name: 'Absolute', policy: 'script-src \'nonce-"x"\'' },
    { id: 'B4', name: 'main', policy: 'default-src *' },
    { id: 'a5', name: 'Zebra', policy: 'default-src *' },
  ];

  it('returns an empty list when there are no policies', async () => {
    expect(await get('/policies/csp')).toEqual([200, '{"policies":[]}']);
  });

  it('sorts policies by name, and by id for the same name', async () => {
    await service.load(...saved.map(({ id, name, policy }) => savedPolicy('ada', id, name, policy)));
    const ordered = ['a/3 ?&%', 'a2', 'é1', 'a5', 'B4'].map(id => saved.find(policy => policy.id === id));
    expect(await get('/policies/csp')).toEqual([200, JSON.stringify({ policies: ordered })]);
  });

  it('finds each policy by its id, including special characters', async () => {
    for (const policy of saved) {
      expect(await get(`/policies/csp/${encodeURIComponent(policy.id)}`)).toEqual([
        200,
        JSON.stringify(policy),
      ]);
    }
  });

  it('finds policies only by their exact id', async () => {
    for (const id of ['A2', 'a', 'a2%20', '%25', '*', 'constructor', 'null', "'", 'x'.repeat(2048)]) {
      expect(await get(`/policies/csp/${id}`), id).toEqual(NOT_FOUND);
    }
  });

  it.each(['%00', 'a%00', '%zz', '%', 'x'.repeat(2049)])('returns 400 for the id %s', async id => {
    expect(await get(`/policies/csp/${id}`)).toEqual([400, '{"error":"Invalid value for parameter: id"}']);
  });

  it('reads the id only from the path', async () => {
    expect(await get('/policies/csp/none?id=a2')).toEqual(NOT_FOUND);
    expect((await get('/policies/csp/a2?id=none'))[0]).toBe(200);
  });

  it('hides a policy from another account that has a policy with the same id', async () => {
    const other = await open(service, personal('bob'), plan('bob'));
    expect(await get('/policies/csp/a2', other)).toEqual(NOT_FOUND);
    await service.load(savedPolicy('bob', 'a2', "Bob's", 'default-src b'));
    const bobs = JSON.stringify({ id: 'a2', name: "Bob's", policy: 'default-src b' });
    expect(await get('/policies/csp/a2', other)).toEqual([200, bobs]);
    expect(await get('/policies/csp', other)).toEqual([200, `{"policies":[${bobs}]}`]);
  });
});

describe('GET /v1/wizard/csp', () => {
  it('returns an inactive wizard without a policy when nothing is stored', async () => {
    expect(await get('/wizard/csp')).toEqual([200, '{"active":false,"policy":""}']);
  });

  it('returns the stored wizard', async () => {
    await service.load({ kind: 'wizard', accountId: 'ada', active: true, policy: 'img-src a' });
    expect(await get('/wizard/csp')).toEqual([200, '{"active":true,"policy":"img-src a"}']);
    await service.load({ kind: 'wizard', accountId: 'ada', active: false, policy: 'img-src b' });
    expect(await get('/wizard/csp')).toEqual([200, '{"active":false,"policy":"img-src b"}']);
  });
});
