import { beforeAll, describe, expect, it } from 'vitest';
import { contract, resolve, violations } from './support/contract.ts';
import { MOCK_URL, mockHandlers } from './support/mock-server.ts';
import { outgoing } from './support/outgoing.ts';

/** What openapi.yaml says is enough to make a server that says it, with its own examples. */
beforeAll(async () => outgoing.use(...(await mockHandlers())));

describe.each(Object.entries(contract.paths))('the mock of %s', (path, { get }) => {
  it('answers with every status and every body that openapi.yaml has', async () => {
    const target = `${MOCK_URL}${path.replace(/\{\w+\}/g, 'x')}`;
    for (const [status, documented] of Object.entries(get.responses)) {
      const { at, value } = resolve(['paths', path, 'get', 'responses', status], documented);
      if (!value.content) continue;
      const answer = await fetch(`${target}?response=${status}`);
      expect([status, answer.headers.get('content-type')]).toEqual([`${answer.status}`, 'application/json']);
      const schema = [...at, 'content', 'application/json', 'schema'];
      expect(violations(schema, await answer.json()), status).toEqual([]);
    }
  });
});
