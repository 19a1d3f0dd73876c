import { get } from 'node:http';
import { get as getSecurely } from 'node:https';
import { connect } from 'node:net';
import { expect, it, vi } from 'vitest';
import { startService } from './support/service.ts';

const failure = (url: string, getter: typeof get) =>
  new Promise<Error>((resolve, reject) => {
    getter(url, () => reject(new Error(`${url} answered`))).on('error', resolve);
  });

it('the tests reject every connection to another machine and name its target', async () => {
  const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const urls = [
    'http://example.com/',
    'https://example.com/',
    'http://192.0.2.1/',
    'http://localhost.example/',
  ];
  for (const url of urls) {
    const message = `a test connects to ${new URL(url).hostname}`;
    await expect(fetch(url), url).rejects.toMatchObject({ cause: { message } });
    const getter = url.startsWith('https') ? getSecurely : get;
    expect(await failure(url, getter)).toMatchObject({ message });
    const said = [expect.stringContaining(message)];
    expect(printed.mock.calls).toEqual([said, said]);
    printed.mockClear();
  }
  const error = await new Promise(resolve => connect(80, '192.0.2.1').on('error', resolve));
  expect(error).toMatchObject({ message: 'a test connects to 192.0.2.1' });
});

it('the tests allow connections to this machine', async () => {
  await using service = await startService();
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${service.url.replace('127.0.0.1', 'localhost')}/healthz`)).status).toBe(200);
});
