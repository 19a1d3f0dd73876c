import { render } from 'preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PageNode, pageDocument } from '../../../test/support/page-dom.ts';
import { toText } from '../../../test/support/page-text.ts';
import {
  openPage,
  restoreBrowser,
  serveMadeUp,
  windowListeners,
} from '../../../test/support/rendered-page.ts';
import { until } from '../../../test/support/until.ts';
import { key, language } from '../src/docs/browser/shared.ts';

/** Tests what the scripts of both pages do when a browser loads them. */

const API = '../src/app/browser/api.ts';
const CONTENTS = '../src/docs/browser/contents.ts';

const element = new PageNode('div');
element.setAttribute('id', 'app');

afterEach(async () => {
  vi.doUnmock(API);
  vi.doUnmock(CONTENTS);
  render(null, element as unknown as Element);
  element.remove();
  await restoreBrowser();
});

async function start(isProxied: boolean, local: Record<string, string> = {}): Promise<void> {
  const file = () => Response.json({ user: 'ann', accounts: [], signOut: null });
  const stored = { 'sightline-key-signed-out': '' };
  // Simulates a browser, and leaves it without a page.
  (await openPage('#/', Object.assign(serveMadeUp(2), { file }), {}, stored, 'App')).close();
  const removeItem = { value: (name: string) => Reflect.deleteProperty(local, name) };
  vi.stubGlobal('localStorage', Object.defineProperties(local, { removeItem }));
  pageDocument.body.appendChild(element);
  const original = await vi.importActual<object>(API);
  vi.doMock(API, () => ({ ...original, isProxied }));
  await import(String(new URL(`../src/app/browser/main.tsx?proxied=${isProxied}`, import.meta.url)));
}

describe('the script of the page', () => {
  it('asks for a key, and forgets what earlier versions have dismissed', async () => {
    const local = {
      'sightline-dismissed a': '1',
      'sightline-excluded a': '2',
      'a sightline-dismissed ': '3',
    };
    await start(false, local);
    await until(() => toText(element).includes('<Sign in>'));
    expect(local).toEqual({ 'sightline-excluded a': '2', 'a sightline-dismissed ': '3' });
  });

  it('asks for the visitor of a proxy', async () => {
    await start(true);
    await until(() => toText(element).includes('Signed in as ann. Choose an account.'));
    expect(toText(element)).not.toContain('<Sign in>');
  });
});

describe('the script of the documentation', () => {
  const OPERATIONS = {
    getGraph: {
      path: '/v1/graph',
      fields: [{ name: 'date', in: 'query', kind: 'text', isRequired: true, example: '2026-11-20' }],
    },
  };
  const loaded = { times: 0 };

  /** Loads the script into a page with two requests, and returns their elements and others that it fills. */
  async function startDocs(dataset: Record<string, string>) {
    const page = await openPage('', serveMadeUp(1), {}, {}, 'KnownKey');
    page.close();
    const makeNode = (more: object) => Object.assign(new PageNode('div'), more);
    const requests = [{ operation: 'getGraph' }, { document: '{ viewer { id } }' }].map(place =>
      makeNode({ dataset: { request: JSON.stringify(place) } }),
    );
    const [base, known] = [{ textContent: '' }, new PageNode('span')];
    const elements: Record<string, object> = {
      operations: { textContent: JSON.stringify(OPERATIONS) },
      key: known,
    };
    const documentElement: { dataset: Record<string, string> } = { dataset };
    vi.stubGlobal('location', { href: 'https://own.example/reports/docs' });
    vi.stubGlobal('document', {
      documentElement,
      getElementById: (id: string) => elements[id],
      querySelectorAll: (selector: string) => (selector === '[data-request]' ? requests : []),
      querySelector: (selector: string) => (selector === '.base code' ? base : null),
    });
    const subscriptions = vi.spyOn(language, 'subscribe');
    let follows = 0;
    vi.doMock(CONTENTS, () => ({ followReader: () => void follows++ }));
    await import(String(new URL(`../src/docs/browser/main.tsx?${++loaded.times}`, import.meta.url)));
    await page.settle();
    const close = () => {
      for (const node of [...requests, known]) render(null, node as unknown as Element);
      // Other test files share the language.
      for (const { value: remove } of subscriptions.mock.results) remove();
      subscriptions.mockRestore();
      language.value = 'curl';
    };
    return { page, requests, base, known, documentElement, close, countFollows: () => follows };
  }

  it('makes the requests of the page usable, with today in place of the example', async () => {
    const { page, requests, base, known, documentElement, close, countFollows } = await startDocs({});
    const [route, graphql] = requests.map(toText);
    expect(route).toContain("'https://own.example/reports/v1/graph?date=2026-03-11'");
    expect(graphql).toContain("'https://own.example/reports/graphql'");
    expect([base.textContent, toText(known), countFollows()]).toEqual([
      'https://own.example/reports/v1',
      '',
      1,
    ]);
    language.value = 'Python';
    expect(documentElement.dataset.language).toBe('Python');
    key.value = 'svc_d_x';
    await page.settle();
    expect(toText(known)).toContain('Your key is in memory.');
    // A browser could restore the key with the page.
    windowListeners.fire('pagehide');
    await page.settle();
    expect([key.value, toText(known)]).toEqual(['', '']);
    close();
  });

  it('shows the public address, and sends requests to its own', async () => {
    const { page, requests, base, close } = await startDocs({ base: 'https://public.example' });
    expect(toText(requests[0]!)).toContain("'https://public.example/v1/graph?date=2026-03-11'");
    expect(base.textContent).toBe('https://public.example/v1');
    const sent: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      sent.push(url);
      return new Response('{}');
    });
    key.value = 'svc_d_x';
    requests[0]!.querySelector('form')!.fire('submit');
    await page.settle();
    expect(sent).toEqual(['https://own.example/reports/v1/graph?date=2026-03-11']);
    windowListeners.fire('pagehide');
    close();
  });
});
