import { afterEach, describe, expect, it } from 'vitest';
import { toText } from '../../../test/support/page-text.ts';
import { click, openPage, restoreBrowser, serveMadeUp } from '../../../test/support/rendered-page.ts';

/** The page of a visitor who signs in at a proxy. */

afterEach(restoreBrowser);

const ACME = { id: 'acme', name: 'Acme' };
const OTHER = { id: 'other', name: 'Other\u202e' };

function open(accounts: object[], { signOut = null as string | null, last = '' } = {}) {
  const file = () => Response.json({ user: 'ann\u202e', accounts, signOut });
  const serve = Object.assign(serveMadeUp(2), { file });
  return openPage('#/search', serve, {}, last ? { 'sightline-account': last } : {}, 'ProxiedApp');
}

describe('a visitor of a proxy', () => {
  it.each<[string, object[], string, string[]]>([
    ['one account', [ACME], '', ['acme']],
    ['one account, and was at another', [ACME], 'other', ['acme']],
    ['several accounts, and was at one', [ACME, OTHER], 'other', ['other']],
    ['several accounts', [ACME, OTHER], '', []],
    ['several accounts, and was at none of them', [ACME, OTHER], 'third', []],
    ['no account', [], '', []],
  ])('with %s is led there or chooses', async (_, accounts, last, chosen) => {
    const page = await open(accounts, { last });
    const asked = chosen.flatMap(account => ['asks Session {}', `stores sightline-account as ${account}`]);
    expect(page.actions).toEqual(['gets app/session', ...asked]);
    expect(toText(page.root).includes('Choose an account.')).toBe(chosen.length === 0);
    expect(toText(page.root)).toContain('Signed in as ann⟨U+202E⟩');
    page.close();
  });

  it('can go to another account if there are several', async () => {
    const page = await open([ACME, OTHER], { last: 'acme' });
    await click(page, 'Other account');
    await click(page, 'Other⟨U+202E⟩');
    expect(page.actions.slice(-2)).toEqual(['asks Session {}', 'stores sightline-account as other']);
    page.close();
    const only = await open([ACME]);
    expect(toText(only.root)).not.toContain('Other account');
    only.close();
  });

  it('can try again while the service is down', async () => {
    let isDown = true;
    const file = () =>
      isDown
        ? new Response('', { status: 503 })
        : Response.json({ user: 'ann', accounts: [ACME], signOut: null });
    const page = await openPage('#/search', Object.assign(serveMadeUp(2), { file }), {}, {}, 'ProxiedApp');
    expect(toText(page.root)).toContain('The service failed (503).');
    isDown = false;
    await click(page, 'Try again');
    expect(toText(page.root)).toContain('# Search');
    expect(page.actions).toEqual([
      ...['gets app/session', 'gets app/session', 'asks Session {}', 'stores sightline-account as acme'],
    ]);
  });

  it('whose account is refused learns why, and stores nothing', async () => {
    const file = () => Response.json({ user: 'ann', accounts: [ACME, OTHER], signOut: null });
    const refuse = () => Response.json({ error: 'No.' }, { status: 403 });
    const page = await openPage('#/search', Object.assign(refuse, { file }), {}, {}, 'ProxiedApp');
    await click(page, 'Acme');
    expect(toText(page.root)).toContain('No.');
    expect(page.actions).toEqual(['gets app/session', 'asks Session {}']);
  });

  it('whose sign-in has ended learns why, and the tab forgets the account', async () => {
    const madeUp = serveMadeUp(2);
    const file = () => Response.json({ user: 'ann', accounts: [ACME], signOut: 'https://proxy.example/out' });
    const serve = (query: string, variables: Record<string, unknown>) =>
      query.includes('Session') ? madeUp(query, variables) : new Response('', { status: 401 });
    const page = await openPage('#/audit', Object.assign(serve, { file }), {}, {}, 'ProxiedApp');
    expect(page.actions.at(-1)).toBe('removes sightline-account');
    expect(toText(page.root)).toContain('This key is unknown or no longer valid.');
  });

  it('who signs out leaves for the proxy, and the tab forgets the account', async () => {
    const page = await open([ACME], { signOut: 'https://proxy.example/out' });
    const left: string[] = [];
    Object.assign(page.location, { assign: (address: string) => left.push(address) });
    await click(page, 'Sign out');
    expect(page.actions.at(-1)).toBe('removes sightline-account');
    expect(left).toEqual(['https://proxy.example/out']);
    page.close();
  });

  it('who signs out learns where if the page does not know it', async () => {
    const page = await open([ACME]);
    await click(page, 'Sign out');
    expect(page.actions.at(-1)).toBe('removes sightline-account');
    expect(toText(page.root)).toContain(
      'Sign out at your proxy: PAGE_LOGIN_SIGN_OUT does not name its address.',
    );
    page.close();
  });
});
