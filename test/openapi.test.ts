import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  type Header,
  type JsonSchema,
  type MediaType,
  type Response as OpenApiResponse,
  type Parameter,
  type Reference,
  resolver,
} from '@sightline/openapi';
import { REPORT_TYPES, REST_REPORT_TYPES } from '@sightline/reports';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readParts } from '../packages/client/src/parts.ts';
import { EXAMPLES } from '../packages/openapi/src/examples.ts';
import { toYaml } from '../packages/openapi/src/yaml.ts';
import { graphSchema, restSchema } from '../schema/index.ts';
import { getDescription } from '../scripts/description.ts';
import { documentFiles } from '../src/pages/document.ts';
import { contract as committedContract, expectContract, violations } from './support/contract.ts';

const PATHS = `
  /me /setup /quota /plan /team /filters /report-types /certificate-transparency/cert/{sha256} /reports/{type}
  /graphs/{type}/{unit}/{amount} /last-seven-days /breakdown /usage-metrics /policies/csp /policies/csp/{id}
  /wizard/csp /watches/script /watches/data /watches/frame /watches/policy /watches/script/{domain}
  /watches/data/{domain} /watches/frame/{domain} /watches/policy/{domain} /audit-log`
  .trim()
  .split(/\s+/);

const EXPORTS = ['/export/reports/{type}', '/export/audit-log', '/export/findings', '/export/verdicts'];
const isExport = (path: string) => path.startsWith('/export/');

const FILTERS = `
  action hostnames paths effectiveDirective blockedHostnames blockedPaths subresourceHostnames subresourcePaths
  subresourceHashes browser platform nelType phase disposition organisation id certType issuer sha256Spki policyId
  message policy property destination ioc generatedDomain suspicious newlyRegisteredDomain domainReputationScore
  anyThreatIntel`
  .trim()
  .split(/\s+/);

const LISTS = FILTERS.filter(name => /(names|aths|Hashes)$/.test(name));

const version = JSON.parse(readFileSync('package.json', 'utf8')).version as string;

/** The description that the schema generates. The first test compares openapi.yaml with it. */
const contract = getDescription(version);
const follow = resolver(contract);

/** Follows a reference within the description. */
function resolve<Value>(at: readonly string[], value: Value | Reference) {
  const { $ref } = value as Reference;
  return { at: $ref === undefined ? at : $ref.slice('#/'.length).split('/'), value: follow(value) };
}

const operations = Object.entries(contract.paths).map(([path, { get }]) => ({ path, ...get }));

function listParameters(path: string): Parameter[] {
  const { parameters } = contract.paths[path]!.get;
  return parameters.map(parameter => resolve<Parameter>([], parameter).value);
}

/** The paths under `/v1` and the components that they use. */
function partOfV1(): Pick<typeof contract, 'paths' | 'components'> {
  const { paths, components } = contract;
  const own = Object.fromEntries(Object.entries(paths).filter(([path]) => !isExport(path)));
  const used = new Set<string>();
  const use = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as { $ref?: string };
    if ($ref && !used.has($ref)) {
      used.add($ref);
      use(follow(value));
    }
    Object.values(value).forEach(use);
  };
  use(own);
  const referenced = Object.entries(components).map(([kind, all]) => {
    const isUsed = (name: string) => kind === 'securitySchemes' || used.has(`#/components/${kind}/${name}`);
    return [kind, Object.fromEntries(Object.entries(all).filter(([name]) => isUsed(name)))];
  });
  return { paths: own, components: Object.fromEntries(referenced) };
}

/** Every response, with its location. */
function everyResponse() {
  return operations.flatMap(({ path, responses }) =>
    Object.entries(responses).map(([status, response]) => ({
      path,
      status,
      ...resolve<OpenApiResponse>(['paths', path, 'get', 'responses', status], response),
    })),
  );
}

function listExamples({ example, examples = {} }: MediaType): unknown[] {
  const named = Object.values(examples).map(each => resolve<{ value: unknown }>([], each).value.value);
  return example === undefined ? named : [example, ...named];
}

describe('openapi.yaml', () => {
  test('equals the output of the schema', () => {
    const committed = readFileSync('openapi.yaml', 'utf8');
    expect(toYaml(contract) === committed).toBe(true);
  });

  test('is the same in YAML 1.1, where an unquoted date would be a date, and in the JSON of the build', {
    tags: 'slow',
  }, () => {
    expect(parse(readFileSync('openapi.yaml', 'utf8'), { version: '1.1' })).toEqual(committedContract);
  });

  test('contains every path of the reference, and a specific one for each report type', () => {
    const exact = REST_REPORT_TYPES.map(type => `/reports/${type}`);
    const ofV1 = [...PATHS, ...exact].map(path => `/v1${path}`);
    expect(Object.keys(contract.paths).sort()).toEqual([...EXPORTS, ...ofV1].sort());
  });

  test('declares the empty string of unknown values outside of the enum, which simplifies generated code', () => {
    const enums = JSON.stringify(contract).match(/("const":"",)?"enum":\[[^\]]*""[^\]]*\]/g);
    expect(new Set(enums)).toEqual(new Set(['"const":"","enum":[""]']));
    const { action } = contract.components.schemas.CspReport!.properties as Record<string, JsonSchema>;
    expect(action!.anyOf).toMatchObject([{ enum: ['enforced', 'reportOnly'] }, { const: '' }]);
  });

  test('contains no default that is invalid without another parameter', () => {
    const { Limit, Cursors } = contract.components.parameters;
    expect([Limit!.schema, Cursors!.schema]).not.toContainEqual(
      expect.objectContaining({ default: expect.anything() }),
    );
  });

  test('declares a type for every alternative', () => {
    const untyped = [
      ...JSON.stringify(contract).matchAll(/"(?:any|one)Of":\[(\{"(?!type|\$ref|const|allOf)[^}]*\})/g),
    ];
    expect(untyped.map(([, alternative]) => alternative)).toEqual([]);
  });

  test.each(EXPORTS)('%s lists the default response type first', path => {
    const { 200: success } = contract.paths[path]!.get.responses;
    const { value } = resolve<OpenApiResponse>([], success!);
    expect(Object.keys(value.content!)).toEqual([
      'application/x-ndjson',
      'text/csv',
      'application/json',
      'multipart/mixed',
    ]);
  });

  test.each(EXPORTS)('%s has one record as example in each of its forms', async path => {
    const { content } = follow<OpenApiResponse>(contract.paths[path]!.get.responses['200']!);
    const { 'application/x-ndjson': ndjson, 'text/csv': csv, 'multipart/mixed': parts } = content!;
    const lines = String(ndjson!.example);
    const [[first]] = listExamples(content!['application/json']!) as [[Record<string, unknown>]];
    expect([lines.endsWith('\n'), JSON.parse(lines)]).toEqual([true, first]);
    expect(String(csv!.example).split('\r\n')[0]).toBe(Object.keys(first).join());
    const headers = { 'content-type': 'multipart/mixed; boundary=b7' };
    const found: string[] = [];
    for await (const part of readParts(new Response(String(parts!.example), { headers })))
      found.push(part.headers.get('sightline-cursor')!, Buffer.concat(part.chunks).toString());
    expect(found).toEqual(['MS5lM3I0LTktX3FhWjEuNDI', lines]);
  });

  test('describes the parameters of exports, and excludes by each filter', () => {
    const shared = ['from', 'to', 'format', 'after', 'limit', 'cursors', 'account'];
    for (const path of EXPORTS.slice(1))
      expect(listParameters(path).map(({ name, required }) => [name, required])).toEqual(
        shared.map(name => [name, false]),
      );
    const [type, ...others] = listParameters('/export/reports/{type}');
    expect(type!.schema.enum).toEqual(REPORT_TYPES);
    const filters = others.slice(shared.length, shared.length + (others.length - shared.length) / 2);
    expect(filters.map(({ name }) => name)).toEqual(expect.arrayContaining(FILTERS));
    expect(others.slice(shared.length + filters.length)).toEqual(
      filters.map(filter => ({
        ...filter,
        name: `not.${filter.name}`,
        description: `Excludes matching reports. ${filter.description}`,
      })),
    );
    const { After, Limit, Format } = contract.components.parameters;
    expect([After!.schema, Limit!.schema, Format!.schema]).toEqual([
      { type: 'string', maxLength: 2048 },
      { type: 'integer', minimum: 1, maximum: 10_000 },
      { type: 'string', enum: ['ndjson', 'csv', 'json'] },
    ]);
    expect(Limit!.description).toContain('1000 by default');
  });

  test.each([
    [400, 'Parameter limit requires after', EXPORTS],
    [403, 'An internal token is required', EXPORTS],
    [403, 'Threat Intelligence is not included in your plan', EXPORTS.slice(0, 1)],
    [404, 'Account not found', EXPORTS],
    [404, 'Unknown report type', EXPORTS.slice(0, 1)],
  ])('lists a %i response with "%s" for exports', (status, text, paths) => {
    const listed = EXPORTS.filter(path => {
      const { content } = follow<OpenApiResponse>(contract.paths[path]!.get.responses[status]!);
      return JSON.stringify(listExamples(content!['application/json']!)).includes(JSON.stringify(text));
    });
    expect(listed).toEqual(paths);
  });

  test('requires a bearer key everywhere', () => {
    expect(contract.security).toEqual([{ apiKey: [] }]);
    expect(contract.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  test.each(operations)('$path documents every status that any path can return', ({ path, responses }) => {
    const statuses = ['200', '401', '403', '405', '429', '500', ...(isExport(path) ? ['400'] : ['304'])];
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(statuses));
    expect('304' in responses).toBe(!isExport(path));
  });

  test('keeps the part for /v1 unchanged, since clients must be informed of any change', () => {
    const printed = toYaml(partOfV1() as typeof contract);
    expect(createHash('sha256').update(printed).digest('hex')).toMatchInlineSnapshot(
      `"f2b40a807decc261bd1aa49688eb5c4407d971620674bc8b4f9d98741bfdbed3"`,
    );
  });

  test.each([
    [400, '/v1/graphs/{type}/{unit}/{amount}', 'Invalid graph period'],
    [400, '/v1/audit-log', 'Invalid cursor'],
    [400, '/v1/reports/csp', 'Missing required parameter: unit'],
    [400, '/v1/certificate-transparency/cert/{sha256}', 'Invalid value for parameter: sha256'],
    [401, '/v1/me', 'Unauthorized'],
    [403, '/v1/me', 'API access requires a Business plan or higher'],
    [403, '/v1/team', 'A team API key is required'],
    [403, '/v1/graphs/{type}/{unit}/{amount}', 'This period requires a paid plan'],
    [403, '/v1/reports/csp', 'Threat Intelligence is not included in your plan'],
    [404, '/v1/reports/{type}', 'Unknown report type'],
    [404, '/v1/graphs/{type}/{unit}/{amount}', 'Unknown report type'],
    [404, '/v1/setup', 'Setup not found'],
    [404, '/v1/policies/csp/{id}', 'Policy not found'],
    [404, '/v1/watches/frame/{domain}', 'Domain is not enrolled'],
    [404, '/v1/certificate-transparency/cert/{sha256}', 'Certificate not found'],
    [405, '/v1/me', 'Method not allowed'],
    [429, '/v1/me', 'Too many requests'],
    [500, '/v1/me', 'Internal server error'],
  ])('contains the message of a %i response of %s', (status, path, text) => {
    const found = everyResponse().find(
      response => response.path === path && response.status === String(status),
    );
    expect(listExamples(found!.value.content!['application/json']!)).toContainEqual({ error: text });
  });

  test('names every operation once, under a described heading, in the order of the headings', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    // A heading's place is that of its first operation.
    const headings = new Set(operations.flatMap(({ tags }) => tags));
    expect(contract.tags.map(({ name }) => name)).toEqual([...headings]);
  });

  test('contains a valid example for every body', () => {
    for (const { path, status, at, value } of everyResponse()) {
      for (const [type, media] of Object.entries(value.content ?? {})) {
        const examples = listExamples(media);
        expect(examples.length, `${path} ${status} ${type}`).toBeGreaterThan(0);
        for (const example of examples)
          expect(violations([...at, 'content', type, 'schema'], example), `${path} ${status}`).toEqual([]);
      }
    }
  });

  test('contains a valid example for every parameter and header', () => {
    for (const { path, parameters } of operations) {
      for (const [index, parameter] of parameters.entries()) {
        const { at, value } = resolve<Parameter>(
          ['paths', path, 'get', 'parameters', String(index)],
          parameter,
        );
        expect(violations([...at, 'schema'], value.example), `${path} ${value.name}`).toEqual([]);
      }
    }
    for (const [name, header] of Object.entries<Header>(contract.components.headers)) {
      expect(violations(['components', 'headers', name, 'schema'], header.example), name).toEqual([]);
    }
  });

  test('contains examples that agree with each other', () => {
    const exampleOf = (name: string) => contract.components.examples[name]!.value as Record<string, unknown>;
    const sum = (counts: object) =>
      Object.values(counts).reduce((all: number, each: number) => all + each, 0);
    const totals = exampleOf('Breakdown').breakdown as Record<string, number>;
    expect(exampleOf('Quota').used).toBe(sum(totals));
    const metrics = exampleOf('UsageMetrics').metrics as { type: string; accepted: number }[];
    expect(Object.fromEntries(metrics.map(({ type, accepted }) => [type, accepted]))).toEqual(totals);
    expect((exampleOf('ReportTypeList').types as { type: string }[]).map(({ type }) => type)).toEqual(
      Object.keys(totals),
    );
    const { periods } = exampleOf('Graph') as {
      periods: { date: string; total: number; directives: object }[];
    };
    for (const { total, directives } of periods) expect(sum(directives)).toBe(total);
    const days = periods.map(({ date }) => date);
    const next = (day: string, by: number) =>
      new Date(Date.parse(day) + by * 86_400_000).toISOString().slice(0, 10);
    expect(days).toEqual(days.map((_, at) => next('2026-11-14', at)));
    const lastDays = exampleOf('LastSevenDays').days as Record<string, unknown>[];
    expect(lastDays.map(({ date }) => date)).toEqual(days);
    for (const { date: _, ...counts } of lastDays) expect(Object.keys(counts)).toEqual(Object.keys(totals));
    expect(sum(totals)).toBeGreaterThan(sum({ ...lastDays.at(-1), date: 0 }));
  });

  test('contains no examples of removed fields', () => {
    for (const [type, fields] of Object.entries(EXAMPLES)) {
      // Exports have fields that `/v1` does not have.
      const declared = [restSchema, graphSchema].flatMap(schema =>
        Object.keys((schema.getType(type)?.toConfig() as { fields?: object } | undefined)?.fields ?? {}),
      );
      expect(declared, type).toEqual(expect.arrayContaining(Object.keys(fields)));
    }
  });

  test('declares every object as closed and all of its keys as required', () => {
    const counts: string[] = [];
    for (const [name, schema] of Object.entries(contract.components.schemas)) {
      if (schema.type !== 'object') continue;
      expect(schema.additionalProperties, name).toBe(false);
      expect(schema.required, name).toEqual(Object.keys(schema.properties as object));
      for (const [key, property] of Object.entries(schema.properties as Record<string, { type?: string }>)) {
        if (property.type === 'object') counts.push(`${name}.${key}`);
      }
    }
    expect(counts).toEqual(['CspGraphPeriod.directives']);
  });

  test('documents all filters at the template path, and only the applicable ones at a type', () => {
    const names = (path: string) =>
      listParameters(path)
        .filter(({ in: place }) => place === 'query')
        .map(({ name }) => name);
    expect(names('/v1/reports/{type}').sort()).toEqual(['unit', 'date', ...FILTERS].sort());
    expect(names('/v1/reports/tls_rpt').sort()).toEqual(['date', 'hostnames', 'id', 'unit']);
    expect(names('/v1/reports/nel')).toEqual(expect.arrayContaining(['nelType', 'phase', 'organisation']));
    expect(names('/v1/reports/csp')).not.toContain('nelType');
  });

  test('names the types that a filter applies to', () => {
    const organisation = listParameters('/v1/reports/{type}').find(({ name }) => name === 'organisation');
    expect(organisation?.description).toContain('Applies to `nel`, `dmarc`.');
  });

  test('declares lists as comma-separated with at most fifty items', () => {
    const lists = listParameters('/v1/reports/{type}').filter(({ schema }) => schema.type === 'array');
    expect(lists.map(({ name }) => name).sort()).toEqual([...LISTS].sort());
    for (const list of lists)
      expect(list).toMatchObject({ style: 'form', explode: false, schema: { maxItems: 50 } });
  });

  test('distinguishes the two kinds of accounts, and graphs with and without directives', () => {
    const at = ['components', 'schemas', 'Profile'];
    expect(violations(at, { type: 'personal', email: 'ada@example.com' })).toEqual([]);
    expect(violations(at, { type: 'team', email: 'ada@example.com' })).not.toEqual([]);
    expect(violations(at, { type: 'personal', email: 'a@example.com', teamId: 't' })).not.toEqual([]);
    const period = ['components', 'schemas', 'GraphPeriod'];
    expect(violations(period, { date: '2026-11-20', total: 0 })).toEqual([]);
    expect(violations(period, { date: '2026-11-20', total: 0, directives: { unknown: 0 } })).toEqual([]);
    expect(violations(period, { date: '2026-11-20', total: 0, directives: {} })).not.toEqual([]);
  });

  test('lists specific paths before the template path that also matches them', () => {
    const paths = Object.keys(contract.paths);
    for (const [index, path] of paths.entries()) {
      const fits = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/{]+')}$`);
      expect(paths.slice(index + 1).filter(other => fits.test(other))).toEqual([]);
    }
  });

  test('gives operations method-like ids and distinct descriptions', () => {
    for (const { operationId } of operations) expect(operationId).toMatch(/^(get|list)[A-Z]/);
    const descriptions = operations.map(({ description }) => description);
    expect(new Set(descriptions).size).toBe(descriptions.length);
  });

  test('contains no schema that would make clients drop keys or use another type for counts', () => {
    const look = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { properties, additionalProperties, format } = value as Record<string, unknown>;
      if (typeof additionalProperties === 'object') expect(properties).toBeUndefined();
      expect(format).not.toBe('int64');
      Object.values(value).forEach(look);
    };
    look(contract.components.schemas);
  });

  test('is served with its own address, also as JSON', () => {
    const SERVERS = /^servers:\n(?:[ -].*\n)+/m;
    const committed = readFileSync('openapi.yaml', 'utf8');
    const around = committed.replace(SERVERS, '');
    expect(around).not.toContain('\nservers:');
    expect(around.length).toBeGreaterThan(committed.length - 500);
    for (const [host, publicUrl, url] of [
      ['a.example:8080', undefined, 'http://a.example:8080'],
      ['a.example:8080', 'https://b.example/x', 'https://b.example/x'],
      ['[::1]:4000', undefined, 'http://[::1]:4000'],
      ["$&'%", undefined, "http://$&'%"],
      ['', undefined, '/'],
      ['x'.repeat(300), undefined, '/'],
    ] as const) {
      const files = documentFiles(publicUrl);
      const servers = [{ url, description: 'The service that serves this document.' }];
      const yaml = files.get('/openapi.yaml')!.read(host);
      expect(parse(SERVERS.exec(yaml)![0])).toEqual({ servers });
      expect(yaml.replace(SERVERS, '')).toBe(around);
      expect(JSON.parse(files.get('/openapi.json')!.read(host))).toEqual({ ...contract, servers });
    }
  });
});

describe('the contract check', () => {
  const ROUTED = {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': '1',
    'x-content-type-options': 'nosniff',
    ratelimit: '"default";r=119;t=60',
    'ratelimit-policy': '"default";q=120;w=60',
  };
  const OK = {
    ...ROUTED,
    etag: 'W/"abc"',
    'cache-control': 'private, no-cache',
    vary: 'Authorization, Accept-Encoding',
  };
  const QUOTA = '{"used":1,"limit":2}';
  const check =
    (target: string, status: number, headers: Record<string, string>, body: string, method = 'GET') =>
    () =>
      expectContract(method, target, status, new Headers(headers), body);

  test('accepts documented responses', () => {
    expect(check('/v1/quota?x=1', 200, OK, QUOTA)).not.toThrow();
    expect(check('/v1/quota', 304, OK, '')).not.toThrow();
    const error = { ...ROUTED, 'cache-control': 'no-store' };
    expect(
      check('/v1/quota', 405, { ...error, allow: 'GET' }, '{"error":"Method not allowed"}', 'POST'),
    ).not.toThrow();
    expect(check('/v1/quota', 405, { ...error, allow: 'GET' }, '', 'HEAD')).not.toThrow();
    expect(check('/v1/nowhere', 404, error, '{"error":"Not found"}')).not.toThrow();
    expect(check('/v1/reports/nothing', 404, error, '{"error":"Unknown report type"}')).not.toThrow();
  });

  test.each([
    ['a surplus key', check('/v1/quota', 200, OK, '{"used":1,"limit":2,"left":1}'), /additional properties/],
    ['a missing key', check('/v1/quota', 200, OK, '{"used":1}'), /'limit'/],
    ['a fractional count', check('/v1/quota', 200, OK, '{"used":1.5,"limit":2}'), /\/used/],
    [
      'an undocumented status',
      check('/v1/quota', 404, ROUTED, '{"error":"Not found"}'),
      /status is not documented/,
    ],
    ['a missing header', check('/v1/quota', 200, ROUTED, QUOTA), /header ETag is missing/],
    [
      'another content type',
      check('/v1/quota', 200, { ...OK, 'content-type': 'text/html' }, QUOTA),
      /content type/,
    ],
    ['another error message', check('/v1/me', 401, ROUTED, '{"error":"No"}'), /\/error/],
    ['a 304 with a body', check('/v1/quota', 304, OK, '{}'), /there is a body/],
    ['a response to POST', check('/v1/quota', 200, OK, QUOTA, 'POST'), /only GET/],
  ])('rejects %s', (_what, answer, reason) => {
    expect(answer).toThrow(reason);
  });
});
