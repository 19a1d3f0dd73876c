import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pageDocument } from '../../../test/support/page-dom.ts';
import { toText } from '../../../test/support/page-text.ts';
import {
  click,
  enter,
  findLabelled,
  findNamed,
  openPage,
  type RenderedPage,
  restoreBrowser,
  serveMadeUp,
} from '../../../test/support/rendered-page.ts';
import type { DocumentedOperation } from '../src/docs/browser/operation.ts';
import { key, language } from '../src/docs/browser/shared.ts';

/** How a reader of the documentation changes a request, and sends it. */

beforeEach(() => {
  key.value = '';
  language.value = 'curl';
});
afterEach(restoreBrowser);

const field = (name: string, more: object = {}) => ({
  ...{ name, in: 'query' as const, kind: 'text' as const, isRequired: false, example: `an ${name}` },
  ...more,
});
const OPERATION: DocumentedOperation = {
  path: '/v1/reports/{type}',
  fields: [
    field('type', { in: 'path', isRequired: true, choices: ['csp', 'nel'] }),
    field('date'),
    field('limit'),
    field('ioc', { kind: 'boolean' }),
  ],
};
const initial = { operation: OPERATION, values: { type: 'csp', date: '2026-11-20' } };
const current = { operation: OPERATION, values: { type: 'csp', date: '2026-03-11' } };
const places = { base: 'https://public.example', root: 'https://own.example' };

const open = (props: object = {}, component: 'Request' | 'KnownKey' = 'Request') =>
  openPage('', serveMadeUp(1), { initial, places, ...props }, {}, component);

/** Answers the requests of the documentation, and returns them with their keys. */
function respond(answer: (signal: AbortSignal) => Response | Promise<Response>): string[] {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { headers, signal }: RequestInit) => {
    sent.push(`${url} ${new Headers(headers).get('authorization')}`);
    signal!.throwIfAborted();
    return answer(signal!);
  });
  return sent;
}

async function send(page: RenderedPage): Promise<void> {
  page.root.querySelector('form')!.fire('submit');
  await page.settle();
}

const status = (page: RenderedPage) =>
  toText(page.root.querySelectorAll('p.send')[0]!).replace(/\d+ ms/, '… ms');
const sample = (page: RenderedPage) => toText(page.root.querySelectorAll('pre.sample')[0]!).split("'")[1];

const FIRST = 'https://own.example/v1/reports/csp?date=2026-11-20';

describe('a request of the documentation', () => {
  it('asks for the key before it is sent, and only once', async () => {
    const page = await open();
    const sent = respond(() => new Response('1234567890'.repeat(123)));
    expect(findNamed(page, 'key')).toBeUndefined();
    await send(page);
    expect([sent, status(page)]).toEqual([[], '<Send> {role=status}']);
    expect(pageDocument.activeElement).toBe(findNamed(page, 'key'));
    expect(Object.fromEntries(findNamed(page, 'key')!.attributes)).toMatchObject({
      ...{ type: 'password', required: 'true', autocomplete: 'off', pattern: '[!-~]+' },
    });
    findNamed(page, 'key')!.value = 'svc_a';
    await send(page);
    expect(findNamed(page, 'key')).toBeUndefined();
    expect(status(page)).toBe('<Send> 200 · … ms · 1,230 bytes {role=status}');
    await send(page);
    expect(sent).toEqual([`${FIRST} Bearer svc_a`, `${FIRST} Bearer svc_a`]);
  });

  it.each<[string, () => Response, string]>([
    ['with 401', () => new Response('', { status: 401 }), ''],
    ['with 400', () => new Response('', { status: 400 }), 'svc_a'],
    ['with 403', () => new Response('', { status: 403 }), 'svc_a'],
    ['with 429', () => new Response('', { status: 429 }), 'svc_a'],
    ['with 500', () => new Response('', { status: 500 }), 'svc_a'],
    ['with nothing', () => Promise.reject(new TypeError('failed')) as never, 'svc_a'],
  ])('answered %s leaves the key that the service may accept again', async (_, answer, left) => {
    key.value = 'svc_a';
    const page = await open();
    respond(answer);
    await send(page);
    expect(key.value).toBe(left);
  });

  it('that fails says so, without the answer before', async () => {
    key.value = 'svc_a';
    const page = await open();
    let isDown = false;
    respond(() => (isDown ? Promise.reject(new TypeError('failed')) : new Response('{}')));
    await send(page);
    expect(findLabelled(page, 'Answer: 200')).toBeDefined();
    isDown = true;
    await send(page);
    expect(status(page)).toBe('<Send> {role=status}');
    expect(toText(page.root)).toContain(
      'The service cannot be reached, or its response was cut off. {role=alert}',
    );
    expect(findLabelled(page, 'Answer: 200')).toBeUndefined();
  });

  it('can be stopped, but not by the second click of a double click', async () => {
    key.value = 'svc_a';
    const page = await open();
    const sent = respond(
      signal =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    );
    const turn = () => new Promise(resolve => setImmediate(resolve));
    page.root.querySelector('form')!.fire('submit');
    await turn();
    expect(status(page)).toBe('<Stop> On its way … {role=status}');
    const [stop] = page.root.querySelectorAll('p.send')[0]!.querySelectorAll('button');
    expect(stop!.attributes.get('type')).toBe('button');
    stop!.fire('click', { detail: 2 });
    page.root.querySelector('form')!.fire('submit');
    await turn();
    expect([sent.length, status(page)]).toEqual([1, '<Stop> On its way … {role=status}']);
    let isPrevented = false;
    const preventDefault = () => {
      isPrevented = true;
    };
    stop!.fire('click', { detail: 1, preventDefault });
    await page.settle();
    expect([isPrevented, status(page)]).toEqual([true, '<Send> Stopped. {role=status}']);
    page.root.querySelector('form')!.fire('submit');
    await turn();
    expect([sent.length, status(page)]).toEqual([2, '<Stop> On its way … {role=status}']);
    stop!.fire('click', { detail: 1 });
    await page.settle();
  });

  it('is that of the current day once the page is interactive', async () => {
    key.value = 'svc_a';
    const page = await open({ current });
    const sent = respond(() => new Response(''));
    expect(sample(page)).toBe('https://public.example/v1/reports/csp?date=2026-03-11');
    await send(page);
    expect(sent).toEqual(['https://own.example/v1/reports/csp?date=2026-03-11 Bearer svc_a']);
  });

  it('has the values of its form', async () => {
    const page = await open();
    const target = () => sample(page)!.replace(/.*\/reports/, '');
    const [type] = page.root.querySelectorAll('select');
    await enter(page, type!, 'nel', 'change');
    await enter(page, page.root.querySelector('input')!, '2026-03', 'input');
    expect(target()).toBe('/nel?date=2026-03');
    const add = findLabelled(page, 'Add a parameter')!;
    expect(toText(add)).toBe('(Add a parameter …, limit, ioc) {aria-label=Add a parameter}');
    await enter(page, add, '', 'change');
    expect(target()).toBe('/nel?date=2026-03');
    await enter(page, add, 'limit', 'change');
    expect(target()).toBe('/nel?date=2026-03&limit=an%20limit');
    findLabelled(page, 'Without date')!.fire('click');
    await page.settle();
    expect(target()).toBe('/nel?limit=an%20limit');
    expect(toText(add)).toBe('(Add a parameter …, date, ioc) {aria-label=Add a parameter}');
    expect(findLabelled(page, 'Without type')).toBeUndefined();
  });

  it('is copied in the language that the reader chooses for all of them', async () => {
    const page = await open();
    const pressed = () =>
      page.root.querySelectorAll('button').filter(one => one.attributes.get('aria-pressed') === 'true');
    await click(page, 'Python');
    expect(pressed().map(toText)).toEqual(['<Python {pressed}>']);
    expect(language.value).toBe('Python');
    await click(page, 'Copy');
    expect(page.actions).toEqual([expect.stringContaining('copies import os, urllib.request\n')]);
    expect(page.actions[0]).toContain('"https://public.example/v1/reports/csp?date=2026-11-20"');
    vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.reject(new Error('denied')) } });
    await click(page, 'Copy');
    expect(toText(page.root)).toContain('The browser did not allow it: select the text. {role=status}');
  });
});

it('the key of the documentation is shown as known until the reader forgets it', async () => {
  const page = await open({}, 'KnownKey');
  expect(toText(page.root)).toBe('');
  key.value = 'svc_a';
  await page.settle();
  expect(toText(page.root)).toBe('Your key is in memory. <Forget the key>');
  await click(page, 'Forget the key');
  expect([toText(page.root), key.value]).toEqual(['', '']);
});
