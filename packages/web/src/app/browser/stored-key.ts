import { type Key, redeem } from './api.ts';

/**
 * The session storage entry for the key, if the visitor chose to stay signed in. Browsers delete it when the tab is
 * closed.
 */
const NAME = 'sightline-key';

export function readStoredKey(): Key | undefined {
  return sessionStorage.getItem(NAME) ?? undefined;
}

export function storeKey(key: Key): void {
  sessionStorage.setItem(NAME, key);
}

export function forgetKey(): void {
  sessionStorage.removeItem(NAME);
}

/**
 * The session storage entry that is set when the visitor signs out in this tab, so that a reload does not request the
 * key from another tab.
 */
const SIGNED_OUT = `${NAME}-signed-out`;
const SIGN_OUT = 'sign-out';

export const hasSignedOut = () => sessionStorage.getItem(SIGNED_OUT) !== null;

/** Allows this tab to request the key from other tabs again. Called after signing in. */
export function forgetSignOut(): void {
  sessionStorage.removeItem(SIGNED_OUT);
}

/** Signs out in all tabs of the page. */
export function signOutAllTabs(): void {
  markSignedOut();
  const channel = openChannel();
  channel.postMessage(SIGN_OUT);
  channel.close();
}

function markSignedOut(): void {
  forgetKey();
  sessionStorage.setItem(SIGNED_OUT, '');
}

/**
 * Time to wait for another tab's key before the sign-in form is shown, in milliseconds. Other tabs usually answer
 * sooner.
 */
const PATIENCE = 100;

/** Opens the channel between the tabs of this origin. Other origins cannot listen. */
const openChannel = () => new BroadcastChannel(NAME);

/**
 * Sends the stored key to tabs that ask for it, until the returned function is called.
 * @param signedOut called when the visitor signs out in another tab
 */
export function shareKey(signedOut: () => void): () => void {
  const channel = openChannel();
  channel.onmessage = ({ data }) => {
    if (data === SIGN_OUT) {
      markSignedOut();
      signedOut();
    }
    const key = readStoredKey();
    if (data === 'ask' && key) channel.postMessage({ key });
  };
  return () => channel.close();
}

/**
 * Asks the other tabs for their stored key. Returns undefined if none has answered in time.
 * @param gone stops listening for late answers
 * @param late receives the key if a busy tab answers later
 */
export function askOtherTabs(gone: AbortSignal, late: (key: Key) => void): Promise<Key | undefined> {
  const channel = openChannel();
  gone.addEventListener('abort', () => channel.close());
  return new Promise<Key | undefined>(resolve => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      resolve(undefined);
    }, PATIENCE);
    channel.onmessage = ({ data }) => {
      if (typeof data?.key !== 'string') return;
      clearTimeout(timer);
      channel.close();
      if (isLate) late(data.key);
      else resolve(data.key);
    };
    channel.postMessage('ask');
  });
}

const codeInAddress = () => /^#code=([\w-]+)$/.exec(location.hash)?.[1];

/** Checks whether the address contains a one-time code. */
export const hasCode = () => codeInAddress() !== undefined;

/**
 * Redeems the one-time code in the address and removes it from there. Returns undefined if there is no code.
 * @throws {NoAnswer}
 */
export async function redeemLinkKey(): Promise<{ key: Key | undefined } | undefined> {
  const code = codeInAddress();
  if (code === undefined) return undefined;
  const key = await redeem(code);
  history.replaceState(null, '', `${location.pathname}#/`);
  return { key };
}

/** Navigates to a page that the proxy serves, such as its sign-out. */
export const leaveFor = (address: string): void => location.assign(address);
