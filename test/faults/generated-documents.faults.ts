import { Client, fetchExchange } from '@urql/core';
import { type DocumentNode, Kind, parse, print, type TypeNode } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as documents from '../../packages/web/src/app/browser/documents/documents.generated.ts';
import { NOW, team } from '../support/fixtures.ts';
import { belongings } from '../support/routes.ts';
import { startService, type TestService } from '../support/service.ts';

/** Values for required variables, by name if their type is too generic. */
const BY_NAME: Readonly<Record<string, unknown>> = { id: 'csp-1' };
const BY_TYPE: Readonly<Record<string, unknown>> = {
  ID: 'crew',
  Instant: '2026-05-20T00:00:00Z',
  ReportTypeName: 'csp',
  ReportFilter: { hostnames: ['own.example.com'] },
  '[GroupBy!]': ['DAY'],
  Boolean: true,
  HostName: 'own.example.com',
  PolicyText: "default-src 'self'",
  DmarcText: 'v=DMARC1; p=reject',
};

type Documents = [name: string, document: DocumentNode][];

function listDocuments(module: object): Documents {
  return Object.entries(module)
    .filter(([name]) => name.endsWith('Document'))
    .map(([name, document]) => [name, document instanceof String ? parse(String(document)) : document]);
}

function chooseVariables({ definitions }: DocumentNode): Record<string, unknown> {
  const variables = definitions
    .flatMap(each => (each.kind === Kind.OPERATION_DEFINITION ? (each.variableDefinitions ?? []) : []))
    .filter(({ variable, type, defaultValue }) => isRequired(variable.name.value, type) && !defaultValue);
  return Object.fromEntries(
    variables.map(({ variable, type }) => [variable.name.value, chooseValue(variable.name.value, type)]),
  );
}

/** Periods need a start, even if the variable is optional. */
const isRequired = (name: string, type: TypeNode) =>
  type.kind === Kind.NON_NULL_TYPE || ['from', 'since', 'past'].includes(name);

function chooseValue(name: string, type: TypeNode): unknown {
  const value = BY_NAME[name] ?? BY_TYPE[print(type).replace(/!$/, '')];
  if (value === undefined) throw new Error(`there is no value for $${name}: ${print(type)}`);
  return value;
}

describe('urql with the typed documents of the page', () => {
  let service: TestService;
  let client: Client;

  beforeAll(async () => {
    service = await startService({ now: NOW });
    await service.load(team('crew'), ...belongings('crew'));
    const headers = { authorization: `Bearer ${await service.key('internal')}` };
    const url = `${service.url}/graphql`;
    client = new Client({
      url,
      exchanges: [fetchExchange],
      fetchOptions: { headers },
      preferGetMethod: false,
    });
  });
  afterAll(() => service.close());

  it.each(listDocuments(documents))('reads %s', async (_, document) => {
    const { data, error } = await client.query(document, chooseVariables(document));
    expect(error).toBeUndefined();
    expect(data).toBeTypeOf('object');
    if ('account' in data) expect(data.account).not.toBeNull();
  });
});
