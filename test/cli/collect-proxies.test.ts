import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linesIn, post, violation } from '../../packages/collector/test/collecting.ts';
import { freePort } from '../support/network.ts';
import { exitCode, sightlineHere, startSightline } from '../support/sightline.ts';
import { until } from '../support/until.ts';

const page = await readFile(new URL('../../docs/collecting.md', import.meta.url), 'utf8');
const PUBLIC = 'reports.acme-metrics.example';

/** The code block below a heading. */
const recipe = (heading: string) =>
  /^```\w*\n([\s\S]*?)^```/m.exec(page.split(`\n## ${heading}\n`)[1] ?? '')![1]!;

interface Proxy {
  name: string;
  command: string;
  /** Writes the proxy's configuration and starts it. */
  start(text: string, port: number): Promise<ChildProcess>;
}

let folder: string;
let children: ChildProcess[];
beforeEach(async () => {
  [folder, children] = [await mkdtemp(join(tmpdir(), 'sightline-test-proxies-')), []];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map(exitCode));
  await rm(folder, { recursive: true, force: true });
});

const PROXIES: readonly Proxy[] = [
  {
    name: 'Caddy',
    command: 'caddy',
    async start(text, port) {
      const file = join(folder, 'Caddyfile');
      await writeFile(file, `{\n\tadmin off\n}\n${text.replace(PUBLIC, `http://127.0.0.1:${port}`)}`);
      const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
      return spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], { stdio: 'ignore', env });
    },
  },
  {
    name: 'Apache',
    command: 'apache2',
    async start(text, port) {
      const modules = '/usr/lib/apache2/modules';
      const load = ['mpm_event', 'authz_core', 'alias', 'proxy', 'proxy_http']
        .map(name => `LoadModule ${name}_module ${modules}/mod_${name}.so\n`)
        .join('');
      const file = join(folder, 'apache.conf');
      // The configured certificate belongs to the reader, and this does not test TLS.
      const plain = text.replace(/^ *SSL.*\n/gm, '').replace('*:443', `127.0.0.1:${port}`);
      const head = `ServerRoot ${folder}\nServerName localhost\nPidFile ${folder}/pid\nErrorLog ${folder}/log\n`;
      await mkdir(join(folder, 'run'));
      await writeFile(
        file,
        `${load}${head}DefaultRuntimeDir ${folder}/run\nListen 127.0.0.1:${port}\n${plain}`,
      );
      return spawn('apache2', ['-D', 'FOREGROUND', '-f', file], { stdio: 'ignore' });
    },
  },
];

for (const { name, command, start } of PROXIES) {
  const isThere = spawnSync(command, [name === 'Caddy' ? 'version' : '-v']).status === 0;
  if (!isThere)
    process.stderr.write(`skipped: the recipe for ${name} needs ${command}, which is not installed here\n`);

  describe.skipIf(!isThere)(`${name} in front of the collector`, () => {
    it('responds to preflight requests, forwards reports, and rejects oversized bodies', {
      tags: 'slow',
    }, async () => {
      const env = {
        COLLECT_SPOOL: join(folder, 'spool'),
        COLLECT_TOKENS: join(folder, 'tokens.ndjson'),
        COLLECT_PORT: '0',
      };
      const { stdout } = await sightlineHere(['collect', 'token', 'create', '--account', 'acme'], env);
      const collector = startSightline(['collect'], { env });
      children.push(collector);
      const [first] = await once(createInterface({ input: collector.stdout! }), 'line');
      const port = await freePort();
      const text = recipe(`${name} in front`).replaceAll(
        '127.0.0.1:4010',
        new URL(JSON.parse(first).url).host,
      );
      children.push(await start(text, port));

      const address = `http://127.0.0.1:${port}${new URL(stdout.trim()).pathname}`;
      const preflight = () =>
        fetch(address, {
          method: 'OPTIONS',
          headers: {
            origin: 'https://shop.example',
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'content-type',
          },
        }).catch(() => undefined);
      const { status, headers } = (await until(async () => (await preflight()) ?? false))!;
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain('content-type');

      expect((await post(address, violation())).status).toBe(204);
      await until(async () => (await linesIn(env.COLLECT_SPOOL)).length > 0);
      const large = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/reports+json' },
        body: 'x'.repeat(1_100_000),
      });
      expect(large.status).toBe(413);
    });
  });
}
