import { render } from 'preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PageNode, pageDocument } from '../../../test/support/page-dom.ts';
import { toText } from '../../../test/support/page-text.ts';
import { openPage, restoreBrowser, serveMadeUp } from '../../../test/support/rendered-page.ts';
import { until } from '../../../test/support/until.ts';

/** What the script of the page does when it is loaded. */

const API = '../src/app/browser/api.ts';

const element = new PageNode('div');
element.setAttribute('id', 'app');

afterEach(async () => {
  vi.doUnmock(API);
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
