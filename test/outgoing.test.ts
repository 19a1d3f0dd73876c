import { get } from 'node:http';
import { get as getSecurely } from 'node:https';
import { HttpResponse, http } from 'msw';
import { expect, it, vi } from 'vitest';
import { outgoing } from './support/outgoing.ts';
import { startService } from './support/service.ts';

const failure = (url: string, getter: typeof get) =>
  new Promise<Error>((resolve, reject) => {
    getter(url, () => reject(new Error(`${url} answered`))).on('error', resolve);
  });

it('refuses every request that would leave this machine, and says which', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  const urls = [
    'http://example.com/',
    'https://example.com/',
    'http://192.0.2.1/',
    'http://localhost.example/',
  ];
  for (const url of urls) {
    await expect(fetch(url), url).rejects.toThrow('Failed to fetch');
    expect(printed).toHaveBeenLastCalledWith(expect.stringContaining(`GET ${url}`));
    const getter = url.startsWith('https') ? getSecurely : get;
    expect(await failure(url, getter)).toMatchObject({ message: 'Network error' });
  }
});

it('lets requests to this machine pass', async () => {
  await using service = await startService();
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${service.url.replace('127.0.0.1', 'localhost')}/healthz`)).status).toBe(200);
});

it('answers for what a test mocks', async () => {
  outgoing.use(http.get('https://example.com/mocked', () => HttpResponse.json({ mocked: true })));
  expect(await (await fetch('https://example.com/mocked')).json()).toEqual({ mocked: true });
});
