import { expect, it, onTestFinished, vi } from 'vitest';
import { Hosts } from '../src/dial/hosts.ts';

const list = (hosts: Hosts) => hosts.candidates().map(({ host, kind }) => `${host.name} ${kind}`);

it('a host that failed is tried last for thirty seconds, or until it succeeds', () => {
  let now = 100_000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => void clock.mockRestore());
  const hosts = new Hosts('postgres://me@a,b,c/x');
  const [a, b] = hosts.address.hosts;
  expect(list(hosts)).toEqual(['a any', 'b any', 'c any']);
  hosts.failed(a!);
  now += 1000;
  hosts.failed(b!);
  expect(list(hosts)).toEqual(['c any', 'a any', 'b any']);
  hosts.noteSuccess(a!);
  expect(list(hosts)).toEqual(['a any', 'c any', 'b any']);
  now += 29_999;
  expect(list(hosts)).toEqual(['a any', 'c any', 'b any']);
  now += 1;
  expect(list(hosts)).toEqual(['a any', 'b any', 'c any']);
});

it('a preferred standby is searched on all hosts before any other server is accepted', () => {
  const hosts = new Hosts('postgres://me@a,b/x?target_session_attrs=prefer-standby');
  expect(list(hosts)).toEqual(['a standby', 'b standby', 'a any', 'b any']);
  expect(list(new Hosts('postgres://me@a,b/x?target_session_attrs=primary'))).toEqual([
    'a primary',
    'b primary',
  ]);
});

it('hosts are tried in random order only with load_balance_hosts=random', () => {
  let chance = 1;
  const random = vi.spyOn(Math, 'random').mockImplementation(() => {
    chance -= 0.25;
    return chance;
  });
  onTestFinished(() => void random.mockRestore());
  expect(list(new Hosts('postgres://me@a,b,c/x?load_balance_hosts=random'))).toEqual([
    'c any',
    'b any',
    'a any',
  ]);
  expect(list(new Hosts('postgres://me@a,b,c/x?load_balance_hosts=disable'))).toEqual([
    'a any',
    'b any',
    'c any',
  ]);
});
