import { afterAll, beforeAll, expect, it } from 'vitest';
import { open, personal, plan, savedPolicy } from '../support/fixtures.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ answerCacheSize: 0 });
});
afterAll(() => service?.close());

const ALIASES = Array.from({ length: 5 }, (_, n) => `a${n}: policies { id name policy }`).join(' ');
const QUERIES = [`{ viewer { ${ALIASES} } }`, '{ viewer { policies { id } } }', '{ viewer { id } }'];

/** Creates an account with 80 policies of 8 kB that contain its id. */
async function openWithPolicies(id: string): Promise<string> {
  const text = `img-src https://${id}.example/ `.repeat(250);
  const policies = Array.from({ length: 80 }, (_, n) => savedPolicy(id, `${id}-${n}`, `${id} ${n}`, text));
  const key = await open(service, personal(id), plan(id));
  await service.load(...policies);
  return key;
}

async function ask(key: string, query: string): Promise<string> {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return response.text();
}

it('writes answers of several accounts at the same time as it writes each alone', {
  tags: 'slow',
}, async () => {
  const keys = [await openWithPolicies('ada'), await openWithPolicies('bob'), await openWithPolicies('cyd')];
  const requests = keys.flatMap(key => QUERIES.map(query => ({ key, query })));
  const alone: string[] = [];
  for (const { key, query } of requests) alone.push(await ask(key, query));
  expect(alone[0]!.length).toBeGreaterThan(2_000_000);
  for (let times = 0; times < 2; times++) {
    const together = await Promise.all(requests.map(({ key, query }) => ask(key, query)));
    for (const [index, text] of together.entries())
      expect(text === alone[index], `answer ${index}`).toBe(true);
  }
});
