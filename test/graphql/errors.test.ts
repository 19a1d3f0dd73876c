import { KeyIsSlow } from '@sightline/pg-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NOW, open, personal, plan } from '../support/fixtures.ts';
import { ask } from '../support/graphql.ts';
import { connectOperator } from '../support/operator.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;
let internal: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('a-1'), plan('a-1'));
  await service.load(personal('a-2'), personal('a-3'));
  internal = await service.key('internal');
  const operator = connectOperator(service.databaseUrl);
  await operator`drop table csp_wizard`;
  await operator.end();
});
afterAll(() => service.close());

const PERIOD = 'unit: days, date: "2026-05-20"';

describe('a rejected field', () => {
  const refusals: [
    query: string,
    message: string,
    code: string,
    path: (string | number)[],
    column: number,
  ][] = [
    [
      '{ account(id: "a-2") { graph(type: csp, unit: months, amount: 3) { type } } }',
      'This period requires a paid plan',
      'FORBIDDEN',
      ['account', 'graph'],
      24,
    ],
    [
      '{ account(id: "a-1") { graph(type: csp, unit: weeks, amount: 12) { type } } }',
      'Invalid graph period',
      'INVALID',
      ['account', 'graph'],
      24,
    ],
    [
      `{ account(id: "a-1") { nel: nelReports(unit: days, date: "2026-02-30") { truncated } } }`,
      'Invalid value for parameter: date',
      'INVALID',
      ['account', 'nel'],
      24,
    ],
    [
      `{ account(id: "a-1") { cspReports(${PERIOD}, ioc: true) { truncated } } }`,
      'Threat Intelligence is not included in your plan',
      'FORBIDDEN',
      ['account', 'cspReports'],
      24,
    ],
    [
      '{ account(id: "a-1") { auditLog(cursor: "x") { truncated } } }',
      'Invalid cursor',
      'INVALID',
      ['account', 'auditLog'],
      24,
    ],
  ];

  it.each(refusals)(
    'returns an error with a code, a location and a path: %s',
    async (query, message, code, path, column) => {
      const { status, body } = await ask(service, internal, query);
      expect(status).toBe(200);
      expect(body).toEqual({
        errors: [{ message, locations: [{ line: 1, column }], path, extensions: { code } }],
        data: { account: { [path[1]!]: null } },
      });
    },
  );
});

it('returns one error per rejected field and keeps the rest of the response', async () => {
  const graph = (name: string, amount: number) =>
    `${name}: graph(type: csp, unit: weeks, amount: ${amount}) { amount }`;
  const query = `{ a: account(id: "a-2") { id ${graph('x', 12)} ${graph('y', 12)} ${graph('z', 1)} } }`;
  const { body } = await ask(service, internal, query);
  expect(body.data).toEqual({ a: { id: 'a-2', x: null, y: null, z: { amount: 1 } } });
  expect(body.errors.map(({ path }: { path: string[] }) => path[1])).toEqual(['x', 'y']);
});

describe('an unexpected failure', () => {
  const shown = (path: (string | number)[], line: number, column: number) => ({
    message: 'Internal server error',
    locations: [{ line, column }],
    path,
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  });

  it('is returned as an internal error without details, and keeps the rest of the response', async () => {
    const query = '{\n  reportTypeList { type }\r\n\r\n  viewer {\n    wizard { active } } }';
    // The second run uses the cached document.
    for (let run = 1; run <= 2; run++) {
      const { status, body, text } = await ask(service, key, query);
      expect(status).toBe(200);
      expect(body.errors).toEqual([shown(['viewer', 'wizard'], 5, 5)]);
      expect(body.data).toMatchObject({ viewer: null, reportTypeList: expect.any(Array) });
      expect(text).not.toMatch(/csp_wizard|relation|\.ts|at /);
    }
  });

  it('returns one error per null, regardless of how many fields failed', async () => {
    const { body } = await ask(service, key, '{ viewer { a: wizard { active } b: wizard { active } } }');
    expect(body.data).toEqual({ viewer: null });
    expect(body.errors).toHaveLength(1);
  });

  it('returns one error per null also behind a field that needs no statement', async () => {
    const failing = '{ graph(type: csp, unit: weeks, amount: 12) { type } wizard { active } }';
    const { body } = await ask(
      service,
      key,
      `{ __typename x: viewer ${failing} y: viewer { plan { name } } z: viewer ${failing} }`,
    );
    expect(body.data).toEqual({ __typename: 'Query', x: null, y: { plan: expect.any(Object) }, z: null });
    expect(body.errors.map(({ path }: { path: string[] }) => path[0])).toEqual(['x', 'z']);
  });

  it('returns one error when it nulls a list', async () => {
    for (let run = 1; run <= 3; run++) {
      const { body } = await ask(service, internal, '{ accounts { nodes { id wizard { active } } } }');
      expect(body).toEqual({ errors: [shown(['accounts', 'nodes', 0, 'wizard'], 1, 25)], data: null });
    }
  });
});

describe('an invalid query', () => {
  const QUERY =
    'query($t: ReportTypeName! = csp) { viewer { graph(type: $t, unit: weeks, amount: 1) { type } } }';

  it.each([
    [
      '{ viewer { planX } }',
      'Cannot query field "planX" on type "Account". Did you mean "plan"?',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['{ viewer {', 'Syntax Error: Expected Name, found <EOF>.', 'GRAPHQL_PARSE_FAILED'],
    [
      `{ viewer { cspReports(unit: days, date: "x") { truncated } } }`,
      'Expected value of type "PeriodDate!", found "x"; not a value of PeriodDate. The period: `YYYY-MM-DDTHH` for hours, `YYYY-MM-DD` for days, `YYYY-MM` for months; in UTC.',
      'GRAPHQL_VALIDATION_FAILED',
    ],
  ])('is rejected with a location: %s', async (query, message, code) => {
    const { body } = await ask(service, key, query);
    expect(body).toEqual({ errors: [{ message, locations: [expect.any(Object)], extensions: { code } }] });
  });

  it.each([
    [1000, ''],
    [1001, '…'],
  ])('of a message of %d characters shows at most a thousand: %j', async (length, end) => {
    const [before, after] = ['Cannot query field "', '" on type "Account".'];
    const name = 'q'.repeat(length - before.length - after.length);
    const { body } = await ask(service, key, `{ viewer { ${name} } }`);
    const message = `${before}${name}${after}`.slice(0, 1000) + end;
    expect(body.errors.map((error: { message: string }) => error.message)).toEqual([message]);
  });

  it.each([{ t: 'xyz' }, { t: null }, { t: 7 }])(
    'is rejected for the invalid variables %j',
    async variables => {
      const { body } = await ask(service, key, QUERY, { variables });
      expect(body.errors).toMatchObject([
        { message: expect.stringContaining('$t'), extensions: { code: 'BAD_USER_INPUT' } },
      ]);
      expect(body).not.toHaveProperty('data');
    },
  );

  it('is a caller error when an explicit null replaces the default of a variable', async () => {
    const query = QUERY.replace('ReportTypeName!', 'ReportTypeName');
    const { body } = await ask(service, key, query, { variables: { t: null } });
    expect(body.errors).toMatchObject([
      { path: ['viewer', 'graph'], extensions: { code: 'BAD_USER_INPUT' } },
    ]);
    expect(body.errors[0].message).toContain('must not be null');
  });

  it('returns at most ten validation errors, followed by a note', async () => {
    const fields = Array.from({ length: 200 }, (_, i) => `x${i}`);
    const { body } = await ask(service, key, `{ ${fields.join(' ')} }`);
    expect(body.errors.length).toBeLessThanOrEqual(11);
  });
});

it('a field that waits for other requests with the same key says so', async () => {
  const { database } = service;
  const queryTenant = database.queryTenant.bind(database);
  const spy = vi
    .spyOn(database, 'queryTenant')
    .mockImplementation((accounts, text, ...rest) =>
      text.includes('from audit_event')
        ? Promise.reject(new KeyIsSlow('busy'))
        : queryTenant(accounts, text, ...rest),
    );
  const { body } = await ask(service, key, '{ viewer { id auditLog { truncated } } }');
  spy.mockRestore();
  expect(body).toEqual({
    data: { viewer: { id: 'a-1', auditLog: null } },
    errors: [
      {
        message: 'Other requests with this key are slow: retry this one when they have finished.',
        locations: [{ line: 1, column: 15 }],
        path: ['viewer', 'auditLog'],
        extensions: { code: 'TIME_LIMIT_EXCEEDED' },
      },
    ],
  });
});
