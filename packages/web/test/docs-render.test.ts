import type { JsonSchema, OpenApiDocument } from '@sightline/openapi';
import { type ComponentType, h } from 'preact';
import { describe, expect, it } from 'vitest';
import { renderLines } from '../../../test/support/markup-lines.ts';
import { listOperations, listRoutes } from '../src/docs/render/description.ts';
import { listChoices, resolveSchema, toRows, toType } from '../src/docs/render/schema.ts';

const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Name: { type: 'string', description: 'A name.', enum: ['a', ''] },
  Row: { properties: { name: { $ref: '#/components/schemas/Name', description: 'Its name.' } } },
  First: { description: 'First', properties: { one: { type: 'integer' } } },
  Second: { description: 'Second', properties: { two: { type: 'integer' } } },
};
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The path is computed, because the compiler checks views with settings of their own. */
const importView = (name: string) => import(new URL(`../src/docs/${name}.tsx`, import.meta.url).href);

describe('a schema', () => {
  it('has a row for each field, also of lists, lists of lists, and values of any name', () => {
    const schema = {
      properties: {
        rows: { type: 'array', description: 'The rows.', items: reference('Row') },
        counts: { type: 'object', additionalProperties: { type: 'integer', description: 'A count.' } },
        closed: { type: 'object', additionalProperties: false },
      },
    };
    const name = { type: 'string', text: 'Its name. One of `a`, `""`.' };
    expect(toRows(schema, SCHEMAS)).toEqual([
      { name: 'rows', type: 'array of objects', text: 'The rows.' },
      { name: 'rows[].name', ...name },
      { name: 'counts', type: 'object', text: '' },
      { name: 'counts.*', type: 'integer', text: 'A count.' },
      { name: 'closed', type: 'object', text: '' },
    ]);
    const nested = { items: { type: 'array', items: reference('Row') } };
    expect(toRows(nested, SCHEMAS, 'rows')).toEqual([{ name: 'rows[][].name', ...name }]);
  });

  it.each(['oneOf', 'anyOf'])('lists up to four forms of a value, and counts more: %s', kind => {
    const forms = ['First', 'Second'].map(reference);
    expect(toRows({ items: { [kind]: forms } }, SCHEMAS)).toEqual([
      { form: 'First', isFirst: true },
      { name: '[].one', type: 'integer', text: '' },
      { form: 'Second', isFirst: false },
      { name: '[].two', type: 'integer', text: '' },
    ]);
    expect(toRows({ [kind]: [...forms, ...forms] }, SCHEMAS)).toHaveLength(8);
    const text = expect.stringContaining('each type has its fields at a route of its own');
    const five = { [kind]: [...forms, ...forms, forms[0]] };
    expect(toRows(five, SCHEMAS)).toEqual([{ name: '[]', type: 'one of 5 forms', text }]);
    expect(toRows({ properties: { a: five } }, SCHEMAS)[1]).toMatchObject({ name: 'a' });
  });

  it.each<[object, string]>([
    [{ type: ['string', 'null'], format: 'date' }, 'string or null, date'],
    [{ type: 'integer', format: 'int32', minimum: 1, maximum: 5 }, 'integer, 1 to 5'],
    [{ type: 'integer', maximum: 5 }, 'integer, 0 to 5'],
    [{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, 'integer'],
    [{ type: 'integer', minimum: 1 }, 'integer'],
    [reference('Name'), 'string'],
    [
      {
        anyOf: [
          { type: 'string', format: 'date' },
          { type: 'string', format: 'date-time' },
        ],
      },
      'string, date or date-time',
    ],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'object'],
  ])('%j has the type %s', (schema, type) => {
    expect(toType(schema as JsonSchema, SCHEMAS)).toBe(type);
  });

  it('has the choices of its items and of all its forms', () => {
    expect(listChoices({ type: 'array', items: reference('Name') }, SCHEMAS)).toBe('One of `a`, `""`.');
    const forms = [{ enum: ['x', 'y'] }, { const: '', enum: [''] }].map(form => ({
      type: 'string',
      ...form,
    }));
    expect(listChoices({ anyOf: forms }, SCHEMAS)).toBe('One of `x`, `y`, `""`.');
    expect(listChoices({ type: 'string' }, SCHEMAS)).toBe('');
  });

  it('has its own description before that of its target', () => {
    expect(resolveSchema(reference('Name'), SCHEMAS)).toEqual(SCHEMAS.Name);
    const own = { ...reference('Name'), description: 'Own.' };
    expect(resolveSchema(own, SCHEMAS)).toEqual({ ...SCHEMAS.Name, description: 'Own.' });
  });
});

describe('a guide', () => {
  it('has sections with the requests and listings next to their text', async () => {
    const { readGuide } = await importView('render/markdown');
    const text = [
      ...['# Start', '', 'Before.', '', '```', 'GET /', '```', '', '## First', '', 'One *two*.', ''],
      ...['```try listThings', 'limit: 5', 'date: 2026-11-20', 'all: true', '```', ''],
      ...['```try graphql', '{ me }', '```', '', '```try getMe', '```', '', '### Second', '', 'Three.'],
    ];
    expect(readGuide('start', text.join('\n'))).toEqual({
      slug: 'start',
      title: 'Start',
      sections: [
        { title: '', html: '<p>Before.</p>\n', related: [{ listing: 'GET /' }] },
        {
          title: 'First',
          html: '<p>One <em>two</em>.</p>\n',
          related: [
            { place: { operation: 'listThings', values: { limit: '5', date: '2026-11-20', all: 'true' } } },
            { place: { document: '{ me }' } },
            { place: { operation: 'getMe', values: {} } },
          ],
        },
        { title: 'Second', html: '<p>Three.</p>\n', related: [] },
      ],
    });
  });
});

describe('a route', () => {
  const toError = (...errors: string[]) => ({
    content: {
      'application/json': {
        schema: {},
        examples: Object.fromEntries(errors.map((error, at) => [at, { summary: '', value: { error } }])),
      },
    },
  });
  const query = (name: string, schema: object, required?: boolean) => ({
    ...{ name, in: 'query', description: '', schema, example: 7 },
    ...(required !== undefined && { required }),
  });
  const parameters = [
    query('hosts', { type: 'array', items: { type: 'string' } }, true),
    query('limit', { type: 'integer' }),
    query('ioc', { type: 'boolean' }),
    query('name', reference('Name'), false),
    { $ref: '#/components/parameters/Tag' },
  ];
  const DOCUMENT = {
    paths: {
      '/v1/things': {
        get: {
          ...{ operationId: 'listThings', tags: ['Things', 'Other'], summary: 'Things', description: 'All.' },
          parameters,
          responses: {
            '200': { content: { 'application/json': { schema: reference('Row'), example: { name: 'a' } } } },
            '400': toError('Missing', 'Wrong'),
            '401': toError('No key'),
            '403': toError('API access requires a Business plan or higher', 'Only for teams'),
            '404': { $ref: '#/components/responses/Missing' },
          },
        },
      },
    },
    components: {
      schemas: SCHEMAS,
      parameters: { Tag: { name: 'If-None-Match', in: 'header' } },
      responses: { Missing: toError('Not found') },
    },
  } as unknown as OpenApiDocument;
  const [route] = listRoutes(DOCUMENT);

  it('has its parameters without headers, its first tag, its examples and the errors of its own', () => {
    expect(route).toEqual({
      ...{ id: 'listThings', path: '/v1/things', tag: 'Things', summary: 'Things', description: 'All.' },
      parameters: parameters.slice(0, 4),
      schema: reference('Row'),
      examples: [{ summary: '', value: { name: 'a' } }],
      errors: [
        { status: '400', texts: ['Missing', 'Wrong'] },
        { status: '403', texts: ['API access requires a Business plan or higher', 'Only for teams'] },
        { status: '404', texts: ['Not found'] },
      ],
    });
  });

  it('does not have an error that all routes have', () => {
    const { get } = DOCUMENT.paths['/v1/things']!;
    const error = toError('API access requires a Business plan or higher');
    const responses = { '200': get.responses['200'], '403': error };
    const paths = { '/v1/others': { get: { ...get, responses } } };
    const [other] = listRoutes({ ...DOCUMENT, paths } as unknown as OpenApiDocument);
    expect([other!.path, other!.errors]).toEqual(['/v1/others', []]);
  });

  it('has a field of the right kind for each parameter', () => {
    const field = { in: 'query', isRequired: false, example: '7' };
    expect(listOperations([route!], DOCUMENT)).toEqual({
      listThings: {
        path: '/v1/things',
        fields: [
          { ...field, name: 'hosts', kind: 'list', isRequired: true },
          { ...field, name: 'limit', kind: 'number' },
          { ...field, name: 'ioc', kind: 'boolean' },
          { ...field, name: 'name', kind: 'text', choices: ['a', ''] },
        ],
      },
    });
  });
});

describe('the page', () => {
  const field = (name: string, kind: string, more: object = {}) => ({
    ...{ name, kind, in: 'query', isRequired: false, example: '7' },
    ...more,
  });
  const FIELDS = [
    field('type', 'text', { isRequired: true, in: 'path' }),
    field('limit', 'number'),
    field('ioc', 'boolean'),
    field('tag', 'text', { choices: ['a', ''] }),
  ];
  const answer = (status: number, more: object = {}) => ({
    answer: { ...{ status, title: 'Title', isCut: false, body: '', bytes: 1, headers: [] }, ...more },
  });
  const toParameters = (length: number) =>
    Array.from({ length }, (_, at) => ({
      ...{ name: `p${at}`, in: at === 0 ? 'path' : 'query', description: `Text *${at}*.` },
      ...{
        schema: at === 1 ? reference('Name') : { type: 'integer' },
        ...(at < 2 && { required: at === 0 }),
      },
    }));
  const operation = (more: object) => ({
    route: {
      ...{ id: 'things', path: '/v1/things', summary: 'Things', description: 'All *things*.', tag: 'Things' },
      ...{ examples: [{ value: { name: 'a' } }, { value: 1 }], schema: reference('Row'), errors: [] },
      ...{ parameters: [], ...more },
    },
    operations: { things: { path: '/v1/things', fields: [] } },
    schemas: SCHEMAS,
  });
  const PAGE = {
    paths: Object.fromEntries(
      ['things', 'others'].map(id => [
        `/v1/${id}`,
        {
          get: {
            ...{
              operationId: id,
              tags: ['Things'],
              summary: `All ${id}`,
              description: '<b>All</b>.',
              parameters: [
                {
                  name: 'tag',
                  in: 'query',
                  description: '',
                  schema: { type: 'string' },
                  example: '</script>',
                },
              ],
            },
            responses: {
              '200': { content: { 'application/json': { schema: reference('Row'), example: '</script>' } } },
            },
          },
        },
      ]),
    ),
    tags: [
      { name: 'Things', description: 'Of *things*.' },
      { name: 'Empty', description: '' },
    ],
    components: { schemas: SCHEMAS, parameters: {}, responses: {} },
  };
  const errors = [{ status: '400', texts: ['Missing', '<Wrong>'] }];
  const CASES: readonly [name: string, file: string, props: object][] = [
    ...[200, 204, 399, 400, 401, 429, 499, 500, 503].map((status): [string, string, object] => [
      `AnswerView ${status}`,
      'browser/answer',
      answer(status),
    ]),
    ['AnswerView empty', 'browser/answer', answer(200, { bytes: 0 })],
    ['AnswerView empty but changed', 'browser/answer', answer(204, { bytes: 0 })],
    ['AnswerView cut', 'browser/answer', answer(200, { isCut: true, body: '<a>' })],
    [
      'AnswerView limited',
      'browser/answer',
      answer(429, {
        headers: [
          ['a', 'b'],
          ['retry-after', '7'],
        ],
      }),
    ],
    ['ValueFields none', 'browser/values', { question: { operation: { fields: [] }, values: {} } }],
    ['ValueFields not given', 'browser/values', { question: { operation: { fields: FIELDS }, values: {} } }],
    [
      'ValueFields given',
      'browser/values',
      {
        question: {
          operation: { fields: FIELDS },
          values: { type: 'csp', limit: '', ioc: 'false', tag: '', x: 'y' },
        },
      },
    ],
    ['Operation', 'render/operation', operation({ errors })],
    ['Operation with 20 parameters', 'render/operation', operation({ parameters: toParameters(20) })],
    ['Operation with 21 parameters', 'render/operation', operation({ parameters: toParameters(21) })],
    [
      'Operation of two forms',
      'render/operation',
      operation({ schema: { items: { anyOf: ['First', 'Second'].map(reference) } } }),
    ],
  ];

  it('has answers, fields and routes as recorded', async () => {
    const blocks: string[] = [];
    for (const [name, file, props] of CASES) {
      const part: ComponentType<object> = (await importView(file))[name.split(' ')[0]!];
      const text = renderLines(h(part, props));
      // The samples of a request are tested by themselves.
      blocks.push(`=== ${name}\n${text.replace(/<pre class="sample.*?<\/pre>/gs, '') || 'nothing'}`);
    }
    await expect(`${blocks.join('\n\n')}\n`).toMatchFileSnapshot('./recorded/docs.txt');
  });

  it('has guides with the start first, and routes by tag', async () => {
    const { renderPage } = await importView('render/page');
    const html: string = renderPage({
      description: { ...PAGE, info: { description: 'The *rules*.' } },
      ...{ base: 'https://a.example', script: 'main.js', style: 'main.css' },
      guides: [
        ['start', '# Start\n\nText.'],
        ['more', '# More\n\nFirst.\n\n## Second\n\n```\nGET /\n```\n\n```try things\nlimit: 5\n```'],
      ],
    });
    const body = html.slice(html.indexOf('<nav'));
    const lines = body.replace(/<pre class="sample.*?<\/pre>/gs, '').replace(/<(?=\w)/g, '\n<');
    await expect(`${lines.trim()}\n`).toMatchFileSnapshot('./recorded/docs-page.txt');
  });
});
