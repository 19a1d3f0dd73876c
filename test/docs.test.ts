import { gzipSync } from 'node:zlib';
import type { OpenApiDocument, Parameter } from '@sightline/openapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StaticFile } from '../src/http/static-files.ts';
import { docsFiles } from '../src/pages/docs.ts';
import { documentFiles } from '../src/pages/document.ts';
import { builtFiles } from './support/built.ts';
import { operationsOf, questionsOf, unescaped } from './support/docs-page.ts';
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
  it('is one page that may load its own files, and nothing else', async () => {
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

  it('links to nothing but what is there', async () => {
    const links = [...page.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, link]) => link!);
    const ids = new Set([...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!));
    const inside = links.filter(link => link.startsWith('#')).map(link => link.slice(1));
    expect(inside.filter(id => !ids.has(id))).toEqual([]);
    const outside = new Set(links.filter(link => !link.startsWith('#')));
    expect(outside).toContain('openapi.json');
    // GraphiQL, where the operator has not switched it off: test/http/pages.test.ts opens it.
    outside.delete('graphql');
    for (const link of outside) {
      expect([link, (await service.get(`/${link}`)).status]).toEqual([link, 200]);
    }
  });

  it('weighs at most 20 kB beside its text, and 60 kB with it, gzipped', () => {
    const sizes = builtFiles('docs').map(({ name, content }) => [name, gzipSync(content).length] as const);
    expect(sizes).toHaveLength(3);
    const sum = (some: typeof sizes) => some.reduce((all, [, size]) => all + size, 0);
    expect(sum(sizes.filter(([name]) => !name.endsWith('.html')))).toBeLessThan(20_000);
    expect(sum(sizes)).toBeLessThan(60_000);
  });

  it('is built into the compiled service as it is bundled in a checkout', async () => {
    const bundled = await docsFiles()();
    const built = builtFiles('docs').map(({ name, content }) => [
      name.endsWith('.html') ? '/docs' : `/docs/${name}`,
      content.toString(),
    ]);
    const texts = [...bundled].map(([path, file]) => [path, (file as StaticFile).read().toString()]);
    expect(built.sort()).toEqual(texts.sort());
  });

  it('names the address for clients, where the service knows it', async () => {
    const files = await docsFiles("https://reports.example.com/a&b'")();
    const html = String((files.get('/docs') as StaticFile).read());
    expect(html).toContain('data-base="https://reports.example.com/a&amp;b%27"');
    expect(html).toContain("'https://reports.example.com/a&amp;b%27/v1/me'");
    expect(html).not.toContain('localhost');
    expect(page).not.toContain('data-base');
  });

  it('refuses other methods, and has nothing below it but its files', async () => {
    const { status, headers } = await service.request('/docs', { method: 'POST' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await service.get('/docs/page.00000000.js')).status).toBe(404);
  });
});

/** The text of an operation's section. */
function sectionOf(id: string): string {
  const [, section = ''] = page.split(`<section id="${id}"`);
  return unescaped(section.split('</section>')[0]!.replace(/<[^>]+>/g, ' '));
}

describe('the reference', () => {
  const routes = Object.entries(description.paths).map(([path, { get }]) => ({ path, get }));
  const parametersOf = (parameters: (typeof routes)[number]['get']['parameters']) =>
    parameters
      .map(each => ('name' in each ? each : description.components.parameters[each.$ref.split('/').at(-1)!]!))
      .filter(({ in: place }) => place !== 'header');

  it.each(routes)('shows $path with all that it takes', ({ path, get }) => {
    const section = sectionOf(get.operationId);
    expect(section).toContain(get.summary);
    expect(section).toContain(path);
    for (const { name } of parametersOf(get.parameters)) expect(section).toContain(` ${name} `);
  });

  it('shows each field of an answer, those of records too', () => {
    const [, fields = ''] = sectionOf('listDmarcReports').split('Answer');
    for (const name of ['reports', 'reports[].count', 'reports[].spfResults[].domain', 'truncated'])
      expect(fields).toContain(` ${name} `);
    expect(sectionOf('getMe')).toMatch(/Either:.*one person.*email.*Or:.*a team.*teamName/s);
  });

  it('says which texts a route refuses with', () => {
    expect(sectionOf('getCspPolicy')).toContain('Policy not found');
    expect(sectionOf('getTeam')).toContain('A team API key is required');
    expect(sectionOf('getMe')).not.toContain('API access');
  });

  it('offers every parameter in its requests, with the kinds and values that it takes', () => {
    const operations = operationsOf(page);
    for (const { path, get } of routes) {
      const { fields, path: own } = operations[get.operationId]!;
      expect(own).toBe(path);
      const given = ({ name, required, example }: Parameter) => [name, required ?? false, String(example)];
      expect(fields.map(({ name, isRequired, example }) => [name, isRequired, example])).toEqual(
        parametersOf(get.parameters).map(given),
      );
    }
    const [unit, date] = operations.listCspReports!.fields;
    expect(unit).toMatchObject({ choices: ['hours', 'days', 'months'], in: 'query' });
    expect(date).toMatchObject({ kind: 'text', isRequired: true });
  });

  it('has a request for every route, and guides with more of them', () => {
    const questions = questionsOf(page, '2026-12-01');
    expect(questions.length).toBeGreaterThan(routes.length + 10);
    const asked = questions.flatMap(question => ('operation' in question ? [question.operation.path] : []));
    expect(new Set(asked)).toEqual(new Set(Object.keys(description.paths)));
  });

  it('asks for the reports of today, as far as its examples name a day', () => {
    const days = questionsOf(page, '2027-01-31').flatMap(each =>
      'operation' in each && each.values.date ? [each.values.date] : [],
    );
    expect(new Set(days)).toEqual(new Set(['2027-01-31', '2027-01', 'yesterday']));
    const documents = questionsOf(page, '2027-01-31').flatMap(each =>
      'document' in each ? [each.document] : [],
    );
    expect(documents.join()).toContain('date: "2027-01"');
    expect(documents.join()).not.toContain('2026');
  });
});
