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
