import { createHash } from 'node:crypto';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type DocumentNode, print } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import persisted from '../../packages/client/persisted-documents.json' with { type: 'json' };
import * as documents from '../../packages/client/src/documents.generated.ts';
import { NOW, team } from '../support/fixtures.ts';
import { belongings } from '../support/routes.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startService({ now: NOW });
  await service.load(team('crew'), ...belongings('crew'));
  token = await service.key('internal');
});
afterAll(() => service.close());

const period = { unit: 'days', date: '2026-05-20' } as const;

/** Variables for all documents. Each document uses the ones it declares. */
const VARIABLES = { id: 'crew', ...period, type: 'csp', amount: 1 };

async function send(query: string, variables: object) {
  const body = JSON.stringify({ query, variables });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (await service.request('/graphql', { method: 'POST', headers, body })).body;
}

async function ask<Result, Variables extends object>(
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  const { data, errors } = await send(print(document), variables);
  expect(errors).toBeUndefined();
  return data;
}

it('the documents of the client have the types of their results', async () => {
  const csp = await ask(documents.CspReportsDocument, { id: 'crew', ...period });
  expect(csp.account?.cspReports?.reports.map(({ suspicious }) => suspicious)).toHaveLength(1);
  const dmarc = await ask(documents.DmarcReportsDocument, { id: 'crew', ...period });
  expect(dmarc.account?.dmarcReports?.reports).toHaveLength(1);
});

it.each(Object.entries(persisted))('the service runs the persisted document %s', async (digest, text) => {
  expect(createHash('sha256').update(text).digest('hex')).toBe(digest);
  const unit = text.includes('GraphUnit') ? 'weeks' : period.unit;
  const { data, errors } = await send(text, { ...VARIABLES, unit });
  expect(errors).toBeUndefined();
  expect(data).toBeTruthy();
});

it('every operation is persisted in the form that the client sends', () => {
  const operations = Object.entries(documents).filter(([name]) => !name.endsWith('FragmentDoc'));
  expect(operations.map(([, document]) => print(document as DocumentNode)).sort()).toEqual(
    Object.values(persisted),
  );
});
