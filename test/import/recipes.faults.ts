import { type ChildProcess, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeImportFiles } from '../../packages/demo/src/import/write.ts';
import { IN_EARNEST } from '../faults/scale.ts';
import { account, plan } from '../feed/lines.ts';
import { hasMailServer, MailServer } from '../support/mail-server.ts';
import { freePort } from '../support/network.ts';
import { type Line, startService, type TestService } from '../support/service.ts';
import { exitCode, sightlineHere, startSightline } from '../support/sightline.ts';
import { until } from '../support/until.ts';

const page = await readFile(new URL('../../docs/importing.md', import.meta.url), 'utf8');
const today = new Date().toISOString().slice(0, 10);

/** Returns the code blocks below a heading that are in this language. */
function blocks(heading: string, language: string): string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code]) => code!,
  );
}

/** Returns the arguments of a recipe's command. */
const getCommand = (heading: string) =>
  blocks(heading, 'sh')
    .find(code => code.startsWith('sightline '))!
    .trim()
    .split(/\s+/)
    .slice(1);

if (!hasMailServer)
  process.stderr.write('skipped: the recipe for a mail server needs dovecot, not installed here\n');

let service: TestService;
let key: string;
let folder: string;
beforeAll(async () => {
  service = await startService();
  await service.load(...([account('acme'), plan('acme')] as Line[]));
  key = await service.key('personal', 'acme');
  folder = await mkdtemp(join(tmpdir(), 'sightline-test-recipes-'));
  await writeImportFiles(folder, today);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const env = () => ({ DATABASE_URL: service.databaseUrl });

/** Reads the mails of a maildir by name. */
async function readMails(maildir: string): Promise<Record<string, Uint8Array>> {
  const files = await readdir(maildir, { recursive: true, withFileTypes: true });
  const mails = files.filter(file => file.isFile() && /(new|cur)$/.test(file.parentPath));
  return Object.fromEntries(
    await Promise.all(
      mails.map(async ({ parentPath, name }) => [name, await readFile(join(parentPath, name))]),
    ),
  );
}

async function reports(type: string): Promise<Record<string, unknown>[]> {
  const { body } = await service.get(`/v1/reports/${type}?unit=days&date=${today}`, key);
  return body.reports;
}

describe('an import recipe', () => {
  it('imports a maildir', async () => {
    const [command = ''] = blocks('I have a mailbox', 'sh');
    const args = command
      .trim()
      .replace('npx sightline ', '')
      .replace(' own ', ' acme ')
      .replace('~', join(folder, 'dmarc'))
      .split(' ');
    const { code, stderr } = await sightlineHere(args, env());
    expect(stderr).toMatch(/^Imported dmarc 4;/);
    expect(code).toBe(0);
    expect(await reports('dmarc')).toHaveLength(4);
  });

  it.skipIf(!hasMailServer)('imports a mailbox on a mail server with the systemd unit', async () => {
    const unit = await readFile(
      new URL('../../packaging/systemd/sightline-import.service', import.meta.url),
      'utf8',
    );
    await service.load({ kind: 'account', id: 'acme', deleted: true } as Line);
    await service.load(...([account('acme'), plan('acme')] as Line[]));
    key = await service.key('personal', 'acme');
    const server = await MailServer.start();
    try {
      server.deliver('reports@acme.example', await readMails(join(folder, 'dmarc/Maildir')));
      const args = /^ExecStart=.*sightline\.js (.*)$/m
        .exec(unit)![1]!
        .replace('@imap.acme.example/', `@localhost:${server.ports.imaps}/`)
        .replace(/\$\{CREDENTIALS_DIRECTORY\}\S+/, server.password)
        .split(' ');
      const { code, stderr } = await sightlineHere([...args, '--ca', server.ca], env());
      expect(stderr).toMatch(/^Imported dmarc 4;/);
      expect(code).toBe(0);
      expect(await reports('dmarc')).toHaveLength(4);
    } finally {
      await server.stop();
    }
  });

  it('imports parsedmarc exports', async () => {
    const args = getCommand('I have parsedmarc')
      .map(arg => arg.replace(/^own$/, 'acme'))
      .map(arg => arg.replace('/var/lib', folder));
    const { code, stderr } = await sightlineHere(args, env());
    expect(stderr).toMatch(/^Imported dmarc 2, tls_rpt 1;/);
    expect(code).toBe(0);
    expect(await reports('dmarc')).toEqual(
      expect.arrayContaining([expect.objectContaining({ organisation: 'Example Networks', asn: 64_500 })]),
    );
  });

  it('imports the same reports from parsedmarc CSV as from JSON', async () => {
    const existing = (await reports('dmarc')).map(({ id }) => id);
    const [, csv = ''] = blocks('I have parsedmarc', 'sh');
    const args = csv.trim().replaceAll('/var/lib', folder).replace(' own ', ' acme ').split(' ').slice(1);
    const { code, stderr } = await sightlineHere(args, env());
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Imported dmarc 2, tls_rpt 1;/)]);
    expect((await reports('dmarc')).map(({ id }) => id)).toEqual(existing);
  });

  it('imports the log of a collector with configured field names', async () => {
    const body = {
      'csp-report': { 'document-uri': 'https://own.example/', 'effective-directive': 'img-src' },
    };
    const line = {
      request: { body: JSON.stringify(body), agent: 'curl/8' },
      received_at: `${today}T00:00:07Z`,
    };
    await writeFile(join(folder, 'collector.ndjson'), `${JSON.stringify(line)}\n`);
    const args = getCommand('I have a collector of my own').map(arg =>
      arg.replace('collector.ndjson', join(folder, arg)),
    );
    const { code } = await sightlineHere(args, env());
    expect(code).toBe(0);
    expect(await reports('csp')).toMatchObject([
      { uri: 'https://own.example/', date: `${today}T00:00:07+00:00` },
    ]);
  });
});

const hasNginx = spawnSync('nginx', ['-v']).status === 0;
if (!hasNginx)
  process.stderr.write('skipped: the recipe for nginx needs nginx, which is not installed here\n');

describe.skipIf(!hasNginx)('the recipe for nginx', () => {
  let processes: ChildProcess[] = [];
  let stop = () => {};
  afterAll(async () => {
    stop();
    for (const child of processes) child.kill('SIGTERM');
    await Promise.all(processes.map(exitCode));
    processes = [];
  });

  it('imports a report within 30 seconds after it was posted', async () => {
    const port = String(await freePort());
    const spool = join(folder, 'spool/sightline/reports');
    await mkdir(spool, { recursive: true });
    // The master process of nginx creates the logs. Its workers run as another user, who must be able to open the
    // folder.
    await chmod(folder, 0o755);
    await chmod(spool, 0o755);
    const adapted = (text: string) =>
      text.replaceAll('/var/spool', join(folder, 'spool')).replaceAll('8081', port);
    const [server] = blocks('I have nginx', 'nginx');
    const configuration = join(folder, 'nginx.conf');
    await writeFile(
      configuration,
      `pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; daemon off; worker_processes 1;
       events {} http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
       fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s; ${adapted(server!)} }`,
    );
    const { spawn } = await import('node:child_process');
    const nginx = spawn('nginx', ['-c', configuration], { stdio: 'ignore' });
    const [, ...watch] = ['sightline', ...getCommand('I have nginx')].map(adapted);
    const watcher = startSightline(watch, { env: env() });
    processes = [nginx, watcher];
    const rotate = join(folder, 'rotate-reports');
    const [script] = blocks('I have nginx', 'bash');
    await writeFile(rotate, adapted(script!).replace('nginx -s', `nginx -c ${configuration} -s`), {
      mode: 0o755,
    });

    const post = () =>
      fetch(`http://127.0.0.1:${port}/reports`, {
        method: 'POST',
        headers: {
          'content-type': 'application/csp-report',
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
        },
        body: JSON.stringify({
          'csp-report': { 'document-uri': 'https://posted.example/ü', 'effective-directive': 'font-src' },
        }),
      }).then(
        ({ status }) => status,
        () => 0,
      );
    while ((await post()) !== 204) await sleep(100);

    // The recipe runs every ten seconds, which would prolong the wait below.
    const timer = setInterval(() => spawn(rotate, { stdio: 'ignore' }), 2000);
    stop = () => clearInterval(timer);
    const begin = Date.now();
    const seen = await until(async () => {
      const found = await reports('csp');
      const posted = found.filter(({ uri }) => String(uri).startsWith('https://posted.example/'));
      return posted.length > 0 && posted;
    }, 200);
    expect(seen).toMatchObject([
      { directive: 'font-src', uri: 'https://posted.example/ü', browser: 'Firefox', platform: 'Linux' },
    ]);
    if (IN_EARNEST) expect(Date.now() - begin).toBeLessThan(20_000);
  });
});
