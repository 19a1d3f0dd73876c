import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { until } from '../../../test/support/until.ts';
import {
  askOtherTabs,
  forgetKey,
  forgetSignOut,
  hasCode,
  hasSignedOut,
  readStoredKey,
  redeemLinkKey,
  shareKey,
  signOutAllTabs,
  storeKey,
} from '../src/app/browser/stored-key.ts';

class FakeStorage {
  entries = new Map<string, string>();
  getItem = (name: string) => this.entries.get(name) ?? null;
  setItem = (name: string, value: string) => void this.entries.set(name, value);
  removeItem = (name: string) => void this.entries.delete(name);
}

/** All tabs of these tests have one session storage. */
let storage: FakeStorage;
let open: AbortController;
beforeEach(() => {
  storage = new FakeStorage();
  open = new AbortController();
  vi.stubGlobal('sessionStorage', storage);
});
afterEach(() => {
  open.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the key of a tab', () => {
  it('is stored until it is forgotten', () => {
    expect(readStoredKey()).toBeUndefined();
    storeKey('svc_a');
    expect(readStoredKey()).toBe('svc_a');
    forgetKey();
    expect(readStoredKey()).toBeUndefined();
  });

  it('is sent to another tab that asks for it', async () => {
    storeKey('svc_a');
    const stop = shareKey(() => {});
    open.signal.addEventListener('abort', stop);
    expect(await askOtherTabs(open.signal, () => {})).toBe('svc_a');
  });

  it('is not awaited for long if no other tab has one', async () => {
    const stop = shareKey(() => {});
    open.signal.addEventListener('abort', stop);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let found: unknown = 'nothing yet';
    const asked = askOtherTabs(open.signal, () => {}).then(key => {
      found = key;
    });
    await vi.advanceTimersByTimeAsync(99);
    expect(found).toBe('nothing yet');
    vi.advanceTimersByTime(1);
    await asked;
    expect(found).toBeUndefined();
  });

  it('can arrive late from a busy tab', async () => {
    const late: string[] = [];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked = askOtherTabs(open.signal, key => late.push(key));
    vi.advanceTimersByTime(100);
    expect(await asked).toBeUndefined();
    vi.useRealTimers();
    const channel = new BroadcastChannel('sightline-key');
    channel.postMessage({ key: 7 });
    channel.postMessage({ key: 'svc_b' });
    channel.postMessage({ key: 'svc_c' });
    await until(() => late.length > 0);
    channel.close();
    expect(late).toEqual(['svc_b']);
  });

  it('is forgotten in all tabs when the visitor signs out in one', async () => {
    let signedOut = 0;
    const stop = shareKey(() => signedOut++);
    open.signal.addEventListener('abort', stop);
    storeKey('svc_a');
    expect(hasSignedOut()).toBe(false);
    signOutAllTabs();
    expect([readStoredKey(), hasSignedOut()]).toEqual([undefined, true]);
    // The other tab has its own storage.
    storage.entries = new Map([['sightline-key', 'svc_a']]);
    await until(() => signedOut === 1);
    expect([readStoredKey(), hasSignedOut()]).toEqual([undefined, true]);
    forgetSignOut();
    expect(hasSignedOut()).toBe(false);
  });
});

describe('the one-time code of a link', () => {
  /** Opens the page at an address, and returns the addresses that replace it. */
  const openAt = (hash: string) => {
    const replaced: string[] = [];
    vi.stubGlobal('location', { hash, pathname: '/app' });
    vi.stubGlobal('history', {
      replaceState: (_: null, __: string, address: string) => replaced.push(address),
    });
    return replaced;
  };

  it('is redeemed once and removed from the address', async () => {
    const replaced = openAt('#code=a-B_9');
    const sent: unknown[] = [];
    vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
      sent.push([path, body]);
      return Response.json({ key: 'svc_new' });
    });
    expect(hasCode()).toBe(true);
    expect(await redeemLinkKey()).toEqual({ key: 'svc_new' });
    expect([sent, replaced]).toEqual([[['app/sign-in', '{"code":"a-B_9"}']], ['/app#/']]);
  });

  it.each(['', '#/', '#code=', '#code=a/b', '#/code=a', '#code=a&b'])('is not in %j', async hash => {
    const replaced = openAt(hash);
    expect([hasCode(), await redeemLinkKey(), replaced]).toEqual([false, undefined, []]);
  });
});
