import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './network.ts';
import { exitCode } from './sightline.ts';
import { until } from './until.ts';

const page = await readFile('docs/operations.md', 'utf8');

/** The guide's recipe in this language. */
export const proxyRecipe = (language: string) =>
  new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)![1]!;

/** Proxies in front of a service that listens on a local port. */
export class Proxies implements AsyncDisposable {
  readonly #port: number;
  readonly #folder: string;
  readonly #running: ChildProcess[] = [];

  private constructor(port: number, folder: string) {
    this.#port = port;
    this.#folder = folder;
  }

  static async before(port: number): Promise<Proxies> {
    const folder = await mkdtemp(join(tmpdir(), 'sightline-test-proxies-'));
    await mkdir(join(folder, 'client_body'));
    return new Proxies(port, folder);
  }

  /** @param servers the content of `http`, which listens on port 80 */
  async nginx(servers: string): Promise<string> {
    const port = await freePort();
    const at = (name: string) => join(this.#folder, name);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      name => `${name}_temp_path ${at(name)};`,
    );
    const own = this.#here(servers).replace('listen 80;', `listen 127.0.0.1:${port};`);
    await writeFile(
      at(`nginx-${port}.conf`),
      `daemon off; master_process off; pid ${at(`${port}.pid`)}; error_log ${at('error.log')}; ` +
        `events {}\nhttp { access_log off; ${temporary.join(' ')}\n${own} }\n`,
    );
    return this.#start('nginx', ['-c', at(`nginx-${port}.conf`), '-e', at('error.log')], port);
  }

  async haproxy(backend: string): Promise<string> {
    const port = await freePort();
    const times = 'defaults\n  mode http\n  timeout connect 5s\n  timeout client 60s\n  timeout server 60s\n';
    const frontend = `frontend all\n  bind 127.0.0.1:${port}\n  default_backend sightline\n`;
    const file = join(this.#folder, 'haproxy.cfg');
    await writeFile(file, times + frontend + this.#here(backend));
    return this.#start('haproxy', ['-db', '-f', file], port);
  }

  async caddy(site: string): Promise<string> {
    const port = await freePort();
    const own = this.#here(site).replace('reports.example.com', `http://127.0.0.1:${port}`);
    const file = join(this.#folder, 'Caddyfile');
    await writeFile(file, `{\n\tadmin off\n}\n${own}`);
    return this.#start('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#running) child.kill();
    await Promise.all(this.#running.map(exitCode));
    await rm(this.#folder, { recursive: true });
  }

  #here(text: string): string {
    return text.replaceAll('127.0.0.1:4000', `127.0.0.1:${this.#port}`);
  }

  async #start(program: string, args: readonly string[], port: number): Promise<string> {
    const env = { ...process.env, HOME: this.#folder };
    this.#running.push(spawn(program, args, { stdio: 'ignore', env }));
    const url = `http://127.0.0.1:${port}`;
    await until(async () => (await fetch(`${url}/healthz`).catch(() => ({ ok: false }))).ok);
    return url;
  }
}
