import { gzipSync } from 'node:zlib';
import type { OpenApiDocument, Parameter } from '@sightline/openapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StaticFile } from '../src/http/static-files.ts';
import { docsFiles } from '../src/pages/docs.ts';
import { documentFiles } from '../src/pages/document.ts';
import { builtFiles } from './support/built.ts';
import { listOperations, listQuestions, unescaped } from './support/docs-page.ts';
import { startService, type TestService } from './support/service.ts';

const description: OpenApiDocument = JSON.parse(documentFiles().get('/openapi.json')!.read());

let service: TestService;
let page: string;
beforeAll(async () => {
  service = await startService();
  page = (await service.get('/docs')).text;
});
afterAll(() => service.close());

describe('/docs', () => {
  it('is a single page that can load only its own files', async () => {
    const { status, headers } = await service.get('/docs');
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-cache');
    const loaded = [...page.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, path]) => path);
    expect(loaded).toHaveLength(2);
    for (const path of loaded) {
      const file = await service.get(`/${path}`);
      expect([path, file.status]).toEqual([path, 200]);
      expect(path).toMatch(/\.[0-9A-Z]{8}\.(js|css)$/);
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it('contains only working links', async () => {
    const links = [...page.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, link]) => link!);
    const ids = new Set([...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!));
    const inside = links.filter(link => link.startsWith('#')).map(link => link.slice(1));
    expect(inside.filter(id => !ids.has(id))).toEqual([]);
    const outside = new Set(links.filter(link => !link.startsWith('#')));
    expect(outside).toContain('openapi.json');
    // GraphiQL, if the operator has not disabled it. test/http/pages.test.ts opens it.
    outside.delete('graphql');
    for (const link of outside) {
      expect([link, (await service.get(`/${link}`)).status]).toEqual([link, 200]);
    }
  });

  it('is at most 20 kB without its text and 60 kB with it when compressed with gzip', () => {
    const sizes = builtFiles('docs').map(({ name, content }) => [name, gzipSync(content).length] as const);
    expect(sizes).toHaveLength(3);
    const sum = (some: typeof sizes) => some.reduce((all, [, size]) => all + size, 0);
    expect(sum(sizes.filter(([name]) => !name.endsWith('.html')))).toBeLessThan(20_000);
    expect(sum(sizes)).toBeLessThan(60_000);
  });

  it('has the same files in the compiled service as in a checkout', { tags: 'slow' }, async () => {
    const bundled = await docsFiles()();
    const built = builtFiles('docs').map(({ name, content }) => [
      name.endsWith('.html') ? '/docs' : `/docs/${name}`,
      content.toString(),
    ]);
    const texts = [...bundled].map(([path, file]) => [path, (file as StaticFile).read().toString()]);
    expect(built.sort()).toEqual(texts.sort());
  });

  it('contains the client address if the service is configured with it', async () => {
    const files = await docsFiles("https://reports.example.com/a&b'")();
    const html = String((files.get('/docs') as StaticFile).read());
    expect(html).toContain('data-base="https://reports.example.com/a&amp;b%27"');
    expect(html).toContain("'https://reports.example.com/a&amp;b%27/v1/me'");
    expect(html).not.toContain('localhost');
    expect(page).not.toContain('data-base');
  });

  it('rejects other methods and unknown files', async () => {
    const { status, headers } = await service.request('/docs', { method: 'POST' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await service.get('/docs/page.00000000.js')).status).toBe(404);
  });
});

/** Returns the text of an operation's section. */
function toSection(id: string): string {
  const [, section = ''] = page.split(`<section id="${id}"`);
  return unescaped(section.split('</section>')[0]!.replace(/<[^>]+>/g, ' '));
}

describe('the reference', () => {
  const routes = Object.entries(description.paths).map(([path, { get }]) => ({ path, get }));
  const listParameters = (parameters: (typeof routes)[number]['get']['parameters']) =>
    parameters
      .map(each => ('name' in each ? each : description.components.parameters[each.$ref.split('/').at(-1)!]!))
      .filter(({ in: place }) => place !== 'header');

  it.each(routes)('documents $path with all its parameters', ({ path, get }) => {
    const section = toSection(get.operationId);
    expect(section).toContain(get.summary);
    expect(section).toContain(path);
    for (const { name } of listParameters(get.parameters)) expect(section).toContain(` ${name} `);
  });

  it('documents each field of a response, including those of records', () => {
    const [, fields = ''] = toSection('listDmarcReports').split('Answer');
    for (const name of ['reports', 'reports[].count', 'reports[].spfResults[].domain', 'truncated'])
      expect(fields).toContain(` ${name} `);
    expect(toSection('getMe')).toMatch(/Either:.*one person.*email.*Or:.*a team.*teamName/s);
  });

  it('documents a string with several forms as one, with all its values', () => {
    const [, fields = ''] = toSection('listCspReports').split('Answer');
    expect(fields).toMatch(
      / reports\[\]\.action\s+string\s.*One of\s+enforced\s*,\s+reportOnly\s*,\s+""\s*\./,
    );
    expect(toSection('listExportedFindings')).toMatch(/ from\s+string, date-time or date /);
  });

  it('lists the error messages of a route', () => {
    expect(toSection('getCspPolicy')).toContain('Policy not found');
    expect(toSection('getTeam')).toContain('A team API key is required');
    expect(toSection('getMe')).not.toContain('API access');
  });

  it('offers every parameter in its requests, with type and possible values', () => {
    const operations = listOperations(page);
    for (const { path, get } of routes) {
      const { fields, path: own } = operations[get.operationId]!;
      expect(own).toBe(path);
      const given = ({ name, required, example }: Parameter) => [name, required ?? false, String(example)];
      expect(fields.map(({ name, isRequired, example }) => [name, isRequired, example])).toEqual(
        listParameters(get.parameters).map(given),
      );
    }
    const [unit, date] = operations.listCspReports!.fields;
    expect(unit).toMatchObject({ choices: ['hours', 'days', 'months'], in: 'query' });
    expect(date).toMatchObject({ kind: 'text', isRequired: true });
  });

  it('has a request for every route, and more in the guides', () => {
    const questions = listQuestions(page, '2026-12-01');
    expect(questions.length).toBeGreaterThan(routes.length + 10);
    const requested = questions.flatMap(question =>
      'operation' in question ? [question.operation.path] : [],
    );
    expect(new Set(requested)).toEqual(new Set(Object.keys(description.paths)));
  });

  it('requests the reports of today where its examples contain a date', () => {
    const days = listQuestions(page, '2027-01-31').flatMap(each =>
      'operation' in each && each.values.date ? [each.values.date] : [],
    );
    expect(new Set(days)).toEqual(new Set(['2027-01-31', '2027-01', 'yesterday']));
    const documents = listQuestions(page, '2027-01-31').flatMap(each =>
      'document' in each ? [each.document] : [],
    );
    expect(documents.join()).toContain('date: "2027-01"');
    expect(documents.join()).not.toContain('2026');
  });
});
