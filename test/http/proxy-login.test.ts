import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createProxyLogin } from '../../src/pages/login/proxy-login.ts';

const SECRET = 'a-secret-of-thirty-two-characters';
const config = (more: Record<string, string> = {}) =>
  readConfig({
    PAGE_LOGIN: 'proxy',
    PAGE_LOGIN_PEERS: '10.0.0.0/8, 192.0.2.1, 2001:db8::/32, fe80::1',
    PAGE_LOGIN_SECRET: SECRET,
    PAGE_LOGIN_ACCOUNTS: '/people.yaml',
    ...more,
  }).proxyLogin!;

/** The accounts are the names that were looked up. */
const accounts = { listAccounts: (user: string, groups: readonly string[]) => [user, ...groups] };

interface Sent {
  peer?: string;
  headers?: readonly (readonly [string, string])[];
}

const USER = ['X-Forwarded-User', 'ann'] as const;
const KEY = ['X-Sightline-Proxy-Secret', SECRET] as const;

function identify({ peer = '10.1.2.3', headers = [KEY, USER] }: Sent, more?: Record<string, string>) {
  return createProxyLogin(config(more), accounts).identify({ peer, rawHeaders: headers.flat() } as never);
}

const utf8 = (text: string) => Buffer.from(text).toString('latin1');

describe('a proxy', () => {
  it.each([
    ['10.255.255.255', true],
    ['11.0.0.0', false],
    ['192.0.2.1', true],
    ['192.0.2.2', false],
    ['::ffff:10.1.2.3', true],
    ['::FFFF:10.1.2.3', true],
    ['::ffff:11.1.2.3', false],
    ['2001:db8:1::1', true],
    ['2001:db9::1', false],
    ['fe80::1%eth0', true],
    ['fe80::2%eth0', false],
    ['', false],
    ['proxy.example', false],
  ])('at %s is trusted: %s', (peer, isTrusted) => {
    expect(identify({ peer })?.user).toBe(isTrusted ? 'ann' : undefined);
  });

  it.each([
    [[USER]],
    [[['X-Sightline-Proxy-Secret', ''], USER]],
    [[['X-Sightline-Proxy-Secret', `${SECRET}x`], USER]],
    [[['X-Sightline-Proxy-Secret', SECRET.slice(1)], USER]],
    [[KEY, KEY, USER]],
  ] as const)('that sends %j is not trusted', headers => {
    expect(identify({ headers })).toBeUndefined();
  });

  it('can send other headers, in any case', () => {
    const headers = [
      ['x-sightline-PROXY-secret', SECRET],
      ['REMOTE-USER', 'ann'],
      ['x-forwarded-user', 'bob'],
      ['Remote-Groups', 'ops'],
      ['X-Forwarded-Groups', 'staff'],
    ] as const;
    const names = { PAGE_LOGIN_USER_HEADER: 'Remote-User', PAGE_LOGIN_GROUPS_HEADER: 'Remote-Groups' };
    expect(identify({ headers }, names)).toEqual({ user: 'ann', accounts: ['ann', 'ops'] });
    expect(identify({ headers })).toEqual({ user: 'bob', accounts: ['bob', 'staff'] });
  });

  it('can have an address for signing out', () => {
    expect(createProxyLogin(config(), accounts).signOut).toBeUndefined();
    const signOut = '/oauth2/sign_out';
    expect(createProxyLogin(config({ PAGE_LOGIN_SIGN_OUT: signOut }), accounts).signOut).toBe(signOut);
  });
});

describe('a person', () => {
  const userOf = (value: string) => identify({ headers: [KEY, ['X-Forwarded-User', value]] })?.user;

  it.each([
    ['ann', 'ann'],
    [' ann ', 'ann'],
    [utf8('Jürgen 😀'), 'Jürgen 😀'],
    [utf8('ä'.repeat(256)), 'ä'.repeat(256)],
    ['a'.repeat(257), undefined],
    ['', undefined],
    [' ', undefined],
    ['ann,bob', undefined],
    ['J\u00fcrgen', undefined],
    [utf8('a\u202eb'), undefined],
    [utf8('a\u0085b'), undefined],
    ['a\u0007b', undefined],
  ])('named %j is %j', (value, user) => {
    expect(userOf(value)).toBe(user);
  });

  it('is unknown if the name is missing or repeated', () => {
    expect(identify({ headers: [KEY] })).toBeUndefined();
    expect(identify({ headers: [KEY, USER, USER] })).toBeUndefined();
  });

  const groupsOf = (...values: string[]) =>
    identify({
      headers: [KEY, USER, ...values.map(value => ['X-Forwarded-Groups', value] as const)],
    })?.accounts.slice(1);

  it.each([
    ['', []],
    ['ops', ['ops']],
    [' ops , dev,', ['ops', 'dev']],
    [utf8('Prüfer,a\u202eb,ops'), ['Prüfer', 'ops']],
  ])('can be in the groups of %j', (value, groups) => {
    expect(groupsOf(value)).toEqual(groups);
  });

  it('can be in no group, in one header, and in up to 500 groups', () => {
    expect(groupsOf()).toEqual([]);
    expect(groupsOf('ops', 'dev')).toBeUndefined();
    const groups = (count: number) => Array.from({ length: count }, (_, index) => `g${index}`);
    expect(groupsOf(groups(500).join())).toEqual(groups(500));
    expect(groupsOf(groups(501).join())).toBeUndefined();
  });
});
