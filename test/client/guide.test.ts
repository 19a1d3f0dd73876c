import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '@sightline/client';
import { build, type Plugin } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { auditEvent, finding, plan, report, team, watch } from '../support/fixtures.ts';
import { startService, type TestService } from '../support/service.ts';

const NOW = '2026-11-20T12:00:00Z';

/** Runs the programs of docs/client.md as printed. */
const blocks = [...readFileSync('docs/client.md', 'utf8').matchAll(/^```(?:js|ts)\n([\s\S]*?)^```/gm)].map(
  ([, program]) => program!,
);

/** Code that a block relies on: from the text around it, or from the reader's own program. */
interface Scope {
  baseUrl: string;
  key: string;
  client: unknown;
  readCursor(): Promise<string>;
  writeCursor(cursor: string): Promise<void>;
  store(records: unknown[]): Promise<void>;
}

let service: TestService;
let folder: string;
let scope: Scope;
const stored: { records: unknown[]; cursors: string[] } = { records: [], cursors: [] };
const ENOUGH = new Error('enough pages');

const domain = 'shop.example.com';

beforeAll(async () => {
  service = await startService({ now: NOW });
  const csp = (id: string, host: string) =>
    report('acme', 'csp', id, { date: NOW, uri: `https://${host}/`, blockedUri: 'https://cdn.example/a.js' });
  await service.load(
    team('acme', { teamName: 'Acme' }),
    plan('acme'),
    csp('r-1', `www.${domain}`),
    csp('r-2', 'elsewhere.example'),
    report('acme', 'dmarc', 'd-1', { date: NOW, aligned: false, sourceIp: '192.0.2.1', disposition: 'none' }),
    report('acme', 'dmarc', 'd-2', { date: NOW, aligned: true, sourceIp: '192.0.2.2' }),
    watch('acme', 'script', domain),
    finding('acme', 'script', domain, 'https://new.example/a.js', { firstSeen: NOW, lastSeen: NOW }),
    auditEvent('acme', 'e-1', { timestamp: '2026-11-20T08:00:00Z' }),
    auditEvent('acme', 'e-2', { timestamp: '2026-10-20T08:00:00Z' }),
  );
  const key = await service.key('team', 'acme');
  scope = {
    baseUrl: service.url,
    key,
    client: createClient({ baseUrl: service.url, key, retries: 0 }),
    readCursor: async () => stored.cursors.at(-1) ?? '',
    async writeCursor(cursor) {
      stored.cursors.push(cursor);
      // This program never ends.
      throw ENOUGH;
    },
    async store(records) {
      stored.records.push(...records);
    },
  };
  // Node finds the packages from here.
  folder = await mkdtemp(resolve('node_modules/.guide-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

afterEach(() => vi.unstubAllEnvs());

/** Leaves all packages to Node, except for the client, which is TypeScript in this repository. */
const external: Plugin = {
  name: 'external',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      path.startsWith('@sightline/') || kind === 'entry-point' ? undefined : { path, external: true },
    );
  },
};

/** Runs a block and returns the named variables and the printed lines. */
async function run(text: string, names: readonly string[] = []) {
  const found = blocks.filter(block => block.includes(text));
  expect(found).toHaveLength(1);
  const block = found[0]!;
  const given = Object.keys(scope).filter(name => !new RegExp(`(const|:) \\b${name}\\b[ ,:}]`).test(block));
  const contents = `const { ${given.join(', ')} } = globalThis.guide;\n${block}\nexport { ${names.join(', ')} };\n`;
  const outfile = join(folder, `${blocks.indexOf(block)}.mjs`);
  await build({
    stdin: { contents, resolveDir: resolve('.'), loader: 'ts' },
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'es2022', outfile, plugins: [external] },
  });
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  Object.assign(globalThis, { guide: scope });
  try {
    const variables: Record<string, unknown> = await import(pathToFileURL(outfile).href);
    return { variables, lines: log.mock.calls };
  } finally {
    log.mockRestore();
  }
}

describe('the programs of docs/client.md', () => {
  it('are all run here', () => expect(blocks).toHaveLength(8));

  it('make the first call', async () => {
    vi.stubEnv('SIGHTLINE_URL', scope.baseUrl);
    vi.stubEnv('SIGHTLINE_KEY', scope.key);
    const { lines } = await run("get('/v1/me')");
    expect(lines).toEqual([[expect.objectContaining({ type: 'team', teamName: 'Acme' })]]);
  });

  it('read reports and findings', async () => {
    const { variables } = await run("get('/v1/reports/csp'", ['reports', 'truncated', 'findings']);
    expect(variables).toMatchObject({
      reports: [{ uri: `https://www.${domain}/` }],
      truncated: false,
      findings: [{ uri: 'https://new.example/a.js' }],
    });
  });

  it('read the audit log until November', async () => {
    const { lines } = await run('client.auditEvents()');
    expect(lines).toEqual([['2026-11-20T08:00:00+00:00', expect.any(String), expect.any(String)]]);
  });

  it('export reports without DMARC alignment', async () => {
    const { lines } = await run('client.export(');
    expect(lines).toEqual([['2026-11-20T12:00:00+00:00', '192.0.2.1', 'none']]);
  });

  it('store pages and their cursors, and go on with the last one', async () => {
    await expect(run('client.arrivals(')).rejects.toBe(ENOUGH);
    expect(stored.records).toMatchObject([{ id: 'r-1' }, { id: 'r-2' }]);
    expect(stored.cursors).toEqual([expect.stringMatching(/./)]);
  });

  it('mock the service', async () => {
    const { variables } = await run('msw/node', ['server']);
    const server = variables.server as { close(): void };
    const mocked = createClient({ baseUrl: 'https://mocked.example', key: 'svc_t_any', retries: 0 });
    try {
      const { reports } = await mocked.get('/v1/reports/csp', { unit: 'days', date: '2026-11-20' });
      expect(reports).toMatchObject([{ blockedUri: 'https://evil.example/x.js' }, {}]);
      await expect(mocked.get('/v1/quota')).rejects.toMatchObject({ status: 429 });
      await expect(mocked.get('/v1/team')).rejects.toMatchObject({
        status: 403,
        message: expect.stringContaining('team'),
      });
    } finally {
      server.close();
    }
  });

  it('send documents and texts to /graphql', async () => {
    const { variables } = await run('client.graphql(ViewerDocument', ['viewer', 'own']);
    expect(variables).toMatchObject({ viewer: { id: 'acme' }, own: { quota: { used: 4 } } });
  });

  it('read reports with urql', async () => {
    const { variables } = await run('@urql/core', ['data']);
    expect(variables.data).toMatchObject({
      account: { cspReports: { reports: [{}, {}], truncated: false } },
    });
  });
});
