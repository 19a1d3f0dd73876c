import { type Key, redeem } from './api.ts';

/** Where the key of this tab is kept, only when the visitor ticked that. It is gone with the last tab of the page. */
const NAME = 'sightline-key';

export function keptKey(): Key | undefined {
  return sessionStorage.getItem(NAME) ?? undefined;
}

export function keepKey(key: Key): void {
  sessionStorage.setItem(NAME, key);
}

export function forgetKey(): void {
  sessionStorage.removeItem(NAME);
}

/** Milliseconds in which another tab answers as a rule: so long nothing is asked of the visitor. */
const PATIENCE = 100;

/** Other tabs of this origin, to which no other origin can listen. */
const openChannel = () => new BroadcastChannel(NAME);

/** Gives the stored key to tabs that ask for it. The function that it returns ends that. */
export function shareKey(): () => void {
  const channel = openChannel();
  channel.onmessage = ({ data }) => {
    const key = keptKey();
    if (data === 'ask' && key) channel.postMessage({ key });
  };
  return () => channel.close();
}

/**
 * The key that another tab keeps; undefined where none has answered yet.
 * @param late takes the key where a busy tab answers after that, until `gone`
 */
export function keyOfOtherTab(gone: AbortSignal, late: (key: Key) => void): Promise<Key | undefined> {
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

/** True if the address has a one-time code. */
export const hasCode = () => codeInAddress() !== undefined;

/**
 * The key for the one-time code in the address, which then leaves the address; undefined where there is none.
 * @throws {NoAnswer}
 */
export async function keyOfLink(): Promise<{ key: Key | undefined } | undefined> {
  const code = codeInAddress();
  if (code === undefined) return undefined;
  const key = await redeem(code);
  history.replaceState(null, '', `${location.pathname}#/`);
  return { key };
}
