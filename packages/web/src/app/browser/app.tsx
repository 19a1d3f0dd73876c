import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type Key, type NoAnswer } from './api.ts';
import { SessionDocument, type SessionQuery } from './documents/documents.generated.ts';
import { Starting, Stuck } from './parts/before-sign-in.tsx';
import { Shell } from './shell.tsx';
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
} from './stored-key.ts';
import { asNoAnswer } from './use-answer.ts';
import { SignIn } from './views/sign-in.tsx';

type Viewer = SessionQuery['viewer'];

type State =
  | { step: 'starting' }
  | { step: 'stuck'; problem: NoAnswer }
  | { step: 'signed-out'; reason?: string | undefined }
  | { step: 'signed-in'; key: Key; viewer: Viewer };

const USED_LINK =
  'This link was already used, or the service has been restarted since. Paste the key instead.';

/** The page for visitors with an API key: the sign-in form, or the views once the service has accepted the key. */
export function App() {
  const [state, setState] = useState<State>({ step: 'starting' });
  /** Controls the search for a key. It is aborted once the visitor signs in or out. */
  const waiting = useRef(new AbortController());
  const signOut = (reason?: string) => {
    waiting.current.abort();
    // If there is a reason, only this tab's key was refused, and other tabs can have another key.
    if (reason === undefined) signOutAllTabs();
    else forgetKey();
    setState({ step: 'signed-out', reason });
  };
  const signIn = async (key: Key, isStored: boolean) => {
    const { viewer } = await ask(key, SessionDocument, {});
    waiting.current.abort();
    if (isStored) storeKey(key);
    forgetSignOut();
    setState({ step: 'signed-in', key, viewer });
  };
  const begin = () => {
    setState({ step: 'starting' });
    waiting.current.abort();
    waiting.current = new AbortController();
    start(signIn, waiting.current.signal).then(
      reason => reason !== undefined && setState({ step: 'signed-out', reason: reason || undefined }),
      error => {
        const problem = asNoAnswer(error);
        if (problem.kind === 'unauthorized' || problem.kind === 'refused') signOut(problem.message);
        else setState({ step: 'stuck', problem });
      },
    );
  };
  useEffect(begin, []);
  // The link that `npm start` prints can be opened in a tab in which the page is already open.
  useEffect(() => {
    const look = () => hasCode() && begin();
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  useEffect(() => {
    const signedOut = () => setState({ step: 'signed-out' });
    return state.step === 'signed-in' ? shareKey(signedOut) : undefined;
  }, [state.step]);

  if (state.step === 'starting') return <Starting />;
  if (state.step === 'stuck') return <Stuck problem={state.problem} retry={begin} />;
  if (state.step === 'signed-out') return <SignIn reason={state.reason} signIn={signIn} />;
  return <Shell userKey={state.key} viewer={state.viewer} signOut={signOut} />;
}

/**
 * Signs in with the first key found.
 * @returns undefined if signed in; otherwise the reason to show above the sign-in form, which can be empty
 */
async function start(
  signIn: (key: Key, isStored: boolean) => Promise<void>,
  gone: AbortSignal,
): Promise<string | undefined> {
  const late = (key: Key) => void signIn(key, true).catch(() => {});
  const link = await redeemLinkKey();
  // The key is stored, because the code works only once and a reload must not sign the visitor out.
  if (link?.key) storeKey(link.key);
  const key = link?.key ?? readStoredKey() ?? (hasSignedOut() ? undefined : await askOtherTabs(gone, late));
  if (key === undefined) return link ? USED_LINK : '';
  await signIn(key, true);
  return undefined;
}
