import { afterEach, describe, expect, it } from 'vitest';
import { pageDocument } from '../../../test/support/page-dom.ts';
import { toText } from '../../../test/support/page-text.ts';
import {
  openPage,
  type RenderedPage,
  restoreBrowser,
  type Serve,
  serveMadeUp,
} from '../../../test/support/rendered-page.ts';
import { until } from '../../../test/support/until.ts';

/** How a visitor is signed in, or learns why not. */

afterEach(restoreBrowser);

const madeUp = serveMadeUp(2);
const unauthorized = () => new Response('', { status: 401 });

const open = (hash: string, serve: Serve, stored: Record<string, string> = {}) =>
  openPage(hash, serve, {}, { 'sightline-key-signed-out': '', ...stored }, 'App');

const wholeText = (page: RenderedPage) => toText(page.root);

async function submit(page: RenderedPage, key: string, keep: boolean): Promise<void> {
  const [form] = page.root.findAll(one => one.localName === 'form');
  for (const input of form!.findAll(one => one.localName === 'input')) {
    input.value = key;
    input.checked = keep;
  }
  form!.fire('submit');
  await page.settle();
}

const FORM = 'Keep the key until all tabs of this page are closed <Sign in>';

describe('a visitor', () => {
  it('without a key gets the form', async () => {
    const page = await open('#/', madeUp);
    expect(wholeText(page)).toContain(FORM);
    expect(wholeText(page)).not.toContain('role=alert');
    expect(page.actions).toEqual([]);
  });

  it.each([
    [true, ['stores sightline-key as sl_x', 'removes sightline-key-signed-out']],
    [false, ['removes sightline-key-signed-out']],
  ])('who enters a key is signed in, and its storage is %s', async (keep, expected) => {
    const page = await open('#/search', madeUp);
    await submit(page, ' sl_x ', keep);
    expect(page.actions.slice(0, 1 + expected.length)).toEqual(['asks Session {}', ...expected]);
    expect(wholeText(page)).toContain('<Sign out>');
    expect(wholeText(page)).toContain('# Search');
  });

  it.each<[string, Serve, string]>([
    ['an unknown key', unauthorized, 'This key is unknown or no longer valid.'],
    ['no connection', () => Promise.reject(new TypeError('failed')), 'The service cannot be reached.'],
    [
      'too many requests',
      () => new Response('', { status: 429, headers: { 'retry-after': '7' } }),
      'Too many requests with this key. Try again in 7 s.',
    ],
  ])('with %s stays at the form', async (_, serve, reason) => {
    const page = await open('#/', serve);
    await submit(page, 'sl_x', true);
    expect(page.actions).toEqual(['asks Session {}']);
    expect(wholeText(page)).toContain(reason);
    expect(wholeText(page)).toContain(FORM);
  });

  it('can enter the key at once, and again after a refusal', async () => {
    let accept: (() => void) | undefined;
    let isRefused = true;
    const page = await open('#/search', async (query, variables) => {
      if (isRefused) return unauthorized();
      if (!accept)
        await new Promise<void>(resolve => {
          accept = resolve;
        });
      return madeUp(query, variables);
    });
    expect(pageDocument.activeElement?.attributes.get('name')).toBe('key');
    await submit(page, 'sl_x', false);
    isRefused = false;
    const [form] = page.root.findAll(one => one.localName === 'form');
    form!.fire('submit');
    await new Promise(resolve => setImmediate(resolve));
    expect(wholeText(page)).toContain('<Signing in {disabled=true}>');
    expect(wholeText(page)).not.toContain('role=alert');
    accept!();
    await page.settle();
    expect(wholeText(page)).toContain('# Search');
  });

  it('with a key that no header can hold sends nothing', async () => {
    const page = await open('#/', madeUp);
    await submit(page, 'schlüssel', true);
    expect(page.actions).toEqual([]);
    expect(wholeText(page)).toContain('A key contains only letters, digits and _.');
  });

  it('with a stored key is signed in', async () => {
    const page = await open('#/search', madeUp, { 'sightline-key': 'sl_stored' });
    expect(page.actions.slice(0, 2)).toEqual(['asks Session {}', 'stores sightline-key as sl_stored']);
    expect(wholeText(page)).toContain('# Search');
  });

  it('with a stored key that is no longer valid learns why', async () => {
    const page = await open('#/', unauthorized, { 'sightline-key': 'sl_stored' });
    expect(page.actions).toEqual(['asks Session {}', 'removes sightline-key']);
    expect(wholeText(page)).toContain('This key is unknown or no longer valid.');
  });

  it('with a stored key that is refused learns why', async () => {
    const refuse = () => Response.json({ error: 'Blocked.' }, { status: 403 });
    const page = await open('#/', refuse, { 'sightline-key': 'sl_stored' });
    expect(page.actions).toEqual(['asks Session {}', 'removes sightline-key']);
    expect(wholeText(page)).toContain('Blocked.');
    expect(wholeText(page)).toContain(FORM);
  });

  it('with a stored key keeps it while the service is down', async () => {
    let isDown = true;
    const page = await open(
      '#/search',
      (query, variables) => (isDown ? new Response('', { status: 503 }) : madeUp(query, variables)),
      {
        'sightline-key': 'sl_stored',
      },
    );
    expect(page.actions).toEqual(['asks Session {}']);
    expect(wholeText(page)).toContain('The service failed (503).');
    isDown = false;
    page.root.findAll(one => one.localName === 'button')[0]!.fire('click');
    await page.settle();
    expect(wholeText(page)).toContain('# Search');
  });

  it('who signs out forgets the key', async () => {
    const page = await open('#/search', madeUp, { 'sightline-key': 'sl_stored' });
    page.actions.length = 0;
    page.root.findAll(one => toText(one) === '<Sign out>')[0]!.fire('click');
    await page.settle();
    expect(page.actions).toEqual(['removes sightline-key', 'stores sightline-key-signed-out as ']);
    expect(wholeText(page)).toContain(FORM);
  });
});

describe('a visitor with another tab', () => {
  it('is signed in with its key, and signed out with it', async () => {
    const other = new BroadcastChannel('sightline-key');
    other.onmessage = ({ data }) => data === 'ask' && other.postMessage({ key: 'sl_other' });
    const page = await openPage('#/search', madeUp, {}, {}, 'App');
    await until(() => wholeText(page).includes('<Sign out>'));
    expect(page.actions.slice(0, 2)).toEqual(['asks Session {}', 'stores sightline-key as sl_other']);
    page.actions.length = 0;
    other.postMessage('sign-out');
    await until(() => wholeText(page).includes(FORM));
    expect(page.actions).toEqual(['removes sightline-key', 'stores sightline-key-signed-out as ']);
    expect(wholeText(page)).not.toContain('role=alert');
    page.close();
    other.close();
  });
});

describe('a link with a code', () => {
  const redeem =
    (answer: () => Response): Serve =>
    (query, variables) =>
      query === 'app/sign-in' ? answer() : madeUp(query, variables);

  it('signs in, and its key is stored', async () => {
    const page = await open(
      '#code=abc-1_2',
      redeem(() => Response.json({ key: 'sl_linked' })),
    );
    expect(page.actions.slice(0, 3)).toEqual([
      'posts app/sign-in {"code":"abc-1_2"}',
      'stores sightline-key as sl_linked',
      'asks Session {}',
    ]);
    expect(page.location.hash).toBe('#/');
    expect(wholeText(page)).toContain('<Sign out>');
  });

  it('that was used leads to the form with a reason', async () => {
    const page = await open(
      '#code=abc',
      redeem(() => new Response('', { status: 400 })),
    );
    expect(page.actions).toEqual(['posts app/sign-in {"code":"abc"}']);
    expect(page.location.hash).toBe('#/');
    expect(wholeText(page)).toContain('This link was already used, or the service has been restarted since.');
  });

  it('that was used signs in with a stored key', async () => {
    const used = redeem(() => new Response('', { status: 400 }));
    const page = await open('#code=abc', used, { 'sightline-key': 'sl_stored' });
    expect(wholeText(page)).toContain('<Sign out>');
  });

  it('can be opened in a page that is already open', async () => {
    const page = await open(
      '#/',
      redeem(() => Response.json({ key: 'sl_linked' })),
    );
    expect(wholeText(page)).toContain(FORM);
    await page.go('#code=abc');
    await page.settle();
    expect(wholeText(page)).toContain('<Sign out>');
  });
});
