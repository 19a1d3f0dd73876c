import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  ConfigurationError,
  describeSettings,
  misspeltSettings,
  readConfig,
  settingValues,
} from '../src/config.ts';
import { makeFolder } from './support/folder.ts';
import { groupByPlace, type Outcome } from './support/group-outcomes.ts';

/** Records what comes of each value of each setting. */

type Environment = Record<string, string>;

/** Lists the values of a configuration by their path. */
function flatten(value: unknown, path = ''): [string, string][] {
  if (Array.isArray(value) || typeof value !== 'object' || value === null)
    return [[path, JSON.stringify(value) ?? 'unset']];
  if (Object.getPrototypeOf(value) !== Object.prototype) return [[path, value.constructor.name]];
  return Object.entries(value).flatMap(([name, inner]) => flatten(inner, path ? `${path}.${name}` : name));
}

/** Describes how a configuration differs from that of `base`, or why it cannot be used. */
function describe(environment: Environment, base: Environment = {}): string {
  const usual = new Map(flatten(readConfig(base)));
  try {
    const values = flatten(readConfig({ ...base, ...environment }));
    const changed = values.filter(([path, value]) => usual.get(path) !== value);
    return (
      changed.map(([path, value]) => `${path}=${value.replace(process.cwd(), '')}`).join(' ') || 'the usual'
    );
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.join('; ');
    throw error;
  }
}

/** The limits that a message or a description names, and their neighbours. */
function neighbours(name: string): string[] {
  const problem = describe({ [name]: '?' });
  const [, least, most] = /whole number from (\d+) to (\d+)/.exec(problem) ?? [];
  if (least !== undefined)
    return [+least - 1, +least, +least + 1, +most! - 1, +most!, +most! + 1].map(String);
  const [, short, long] = /from ([\d.]+) ms to ([\d.]+) s/.exec(problem) ?? [];
  if (short === undefined) return [];
  const [from, to] = [+short, +long! * 1000];
  return [from - 1, from, from + 1, to - 1, to, to + 1].map(value => `${value}ms`);
}

const VALUES = [
  ...[
    '',
    ' ',
    '0',
    '007',
    '1',
    '-1',
    '1.5',
    '1e3',
    ' 7 ',
    '2s',
    '3m',
    '1h',
    '1d',
    '2 s',
    'true',
    'TRUE',
    'false',
  ],
  ...[
    'on',
    'off',
    'any',
    'trusted',
    'key',
    'info',
    'silent',
    'production',
    '127.0.0.1',
    '::',
    '10.0.0.0/8, ::1/128',
  ],
  ...['10.0.0.0/33', '::1/129', '1.2.3.4/8/8', 'a.example, B.example', 'a..example', 'svc_d_x', 'svc_x_x'],
  ...[
    'http://a.example/b//',
    'https://a.example',
    'ftp://a.example',
    'http://a b',
    'redis://a',
    'rediss://a',
  ],
  ...[
    'postgres://u:p@a/b',
    'postgres://a/b,postgresql://c/d',
    'postgres://a:x/b',
    'postgres://a/b?sslmode=no',
  ],
  ...['/out', '//out', 'X-User', 'x user'],
];

const NAMES = describeSettings().map(({ name }) => name);
const HIDDEN = [
  'DATABASE_QUEUE_LIMIT',
  'DATABASE_QUEUE_TIMEOUT',
  'RATE_LIMIT_WINDOW',
  'LOOK_UP_TIMEOUT',
  'REPORTS_RESULT_CAP',
];

it('each value of each setting is used or refused as recorded', async () => {
  const blocks = [...NAMES, ...HIDDEN].map(name => {
    const outcomes = [...VALUES, ...neighbours(name)].map((value): Outcome => {
      return [`${name}: ${JSON.stringify(value)}`, describe({ [name]: value }).replaceAll(name, 'it')];
    });
    // Settings that are taken as they are have an outcome for each value, of which a few are enough.
    const isFree = new Set(outcomes.map(([, outcome]) => outcome)).size > 25;
    return groupByPlace(isFree ? outcomes.filter((_, index) => index % 6 === 0) : outcomes);
  });
  await expect(blocks.join('\n')).toMatchFileSnapshot('./recorded/settings.txt');
});

const PROXY: Environment = {
  PAGE_LOGIN: 'proxy',
  PAGE_LOGIN_PEERS: '10.0.0.0/8, ::1',
  PAGE_LOGIN_SECRET: 's'.repeat(32),
  PAGE_LOGIN_ACCOUNTS: '/accounts.yaml',
};

it('each setting of sign-in through a proxy is used or refused as recorded', async () => {
  const changes: Record<string, string[]> = {
    PAGE_LOGIN: ['', 'key', 'both'],
    PAGE_LOGIN_PEERS: [
      '',
      ',',
      '10.0.0.1',
      '10.0.0.0/0',
      '10.0.0.0/1',
      '10.0.0.0/32',
      '10.0.0.0/33',
      '::/0',
      '::/1',
    ],
    PAGE_LOGIN_SECRET: ['', 's'.repeat(31), 's'.repeat(33), `${'s'.repeat(32)} s`, 'é'.repeat(32)],
    PAGE_LOGIN_ACCOUNTS: ['', 'other.yaml'],
    PAGE_LOGIN_USER_HEADER: [
      'x',
      'xy',
      'X-Forwarded-Groups',
      `x${'y'.repeat(63)}`,
      `x${'y'.repeat(64)}`,
      '1x',
      'x_y',
    ],
    PAGE_LOGIN_GROUPS_HEADER: ['x-forwarded-user', 'Remote-Groups', 'a b'],
    PAGE_LOGIN_SIGN_OUT: ['/', '//', '/a b', '/oauth2/sign_out?rd=/', 'https://', 'http://a', 'javascript:1'],
  };
  changes.PAGE_LOGIN_PEERS!.push('::/128', '::/129', '10.0.0.1, x, y/8', '10.0.0.0/8/8', 'localhost');
  const outcomes = Object.entries(changes).flatMap(([name, values]) =>
    values.map((value): Outcome => [`${name}: ${JSON.stringify(value)}`, describe({ [name]: value }, PROXY)]),
  );
  const peers = ['10.255.255.255', '11.0.0.0', '9.255.255.255'].map((address): Outcome => {
    return [`peer: ${address}`, `trusted: ${readConfig(PROXY).proxyLogin!.peers.check(address)}`];
  });
  const none = describe({ PAGE_LOGIN: 'proxy' });
  await expect(`${none}\n${groupByPlace([...outcomes, ...peers])}`).toMatchFileSnapshot(
    './recorded/proxy-login-settings.txt',
  );
});

it('secrets from files are read, refused and shown as recorded', async () => {
  const folder = makeFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const values: Record<string, string> = {
    DATABASE_URL: 'postgres://u:p%40@h:1/d?password=x&options=-c%20a&sslpassword=y&application_name=n',
    DATABASE_READ_URL: 'postgres://u:p@h/d , postgresql://v:q@i/e',
    REDIS_URL: 'rediss://:secret@r:6380/1',
    SIGHTLINE_KEY: 'svc_t_secret',
    PAGE_LOGIN_SECRET: 'p'.repeat(40),
  };
  mkdirSync(join(folder, 'folder'));
  let text = '';
  const tell = (name: string, what: string, environment: Environment) => {
    const shown = settingValues(new Set(['REDIS_URL']), environment).find(setting => setting.name === name)!;
    text += `${name} ${what}: ${describe(environment)}\n  shown: ${shown.value} (${shown.source})\n`;
  };
  for (const [name, value] of Object.entries(values)) {
    const file = `${name}_FILE`;
    tell(name, 'set', { [name]: value });
    tell(name, 'in a file', { [file]: write('whole', `\n ${value} \n`) });
    tell(name, 'in a wrong file', { [file]: write('wrong', 'x') });
    tell(name, 'in an empty file', { [file]: write('empty', ' \n') });
    tell(name, 'in no file', { [file]: join(folder, 'none') });
    tell(name, 'in a folder', { [file]: join(folder, 'folder') });
    tell(name, 'in both', { [file]: write('both', value), [name]: value });
    tell(name, 'with an empty name', { [file]: ' ', [name]: ' ' });
  }
  await expect(text.replaceAll(folder, 'FOLDER')).toMatchFileSnapshot('./recorded/secret-files.txt');
});

it('misspelt names of settings are recognized as recorded', async () => {
  const text = NAMES.flatMap(name => {
    const spelt = [
      name.slice(1),
      name.slice(2),
      name.slice(3),
      `${name}S`,
      `${name}ABC`,
      `SIGHTLINE_${name}`,
    ];
    const others = [name.toLowerCase(), name.replaceAll('_', '-'), name.replace('_', ''), `${name}_FILE`];
    const found = misspeltSettings(Object.fromEntries([...spelt, ...others].map(one => [one, 'x'])));
    return [
      `${name}: ${found.map(({ name: wrong, nearest }) => (nearest === name ? wrong : `${wrong} → ${nearest}`)).join(' ')}\n`,
    ];
  });
  await expect(text.join('')).toMatchFileSnapshot('./recorded/misspelt-settings.txt');
});
