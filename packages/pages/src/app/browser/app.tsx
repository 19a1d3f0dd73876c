import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type Key, type NoAnswer } from './api.ts';
import { SessionDocument, type SessionQuery } from './documents/documents.generated.ts';
import { forgetKey, hasCode, keepKey, keptKey, keyOfLink, keyOfOtherTab, shareKey } from './kept-key.ts';
import { Problem } from './parts/states.tsx';
import { Shell } from './shell.tsx';
import { asNoAnswer } from './use-answer.ts';
import { SignIn } from './views/sign-in.tsx';

type Viewer = SessionQuery['viewer'];

type State =
  | { step: 'starting' }
  | { step: 'stuck'; problem: NoAnswer }
  | { step: 'signed-out'; reason?: string | undefined }
  | { step: 'signed-in'; key: Key; viewer: Viewer };

const USED_LINK = 'This link was used already, or is of an earlier start. Paste the key instead.';

/** Signed out, or in with a key that the service knows. */
export function App() {
  const [state, setState] = useState<State>({ step: 'starting' });
  /** Ends when the visitor is in, or wants to be out. */
  const waiting = useRef(new AbortController());
  const signOut = (reason?: string) => {
    waiting.current.abort();
    forgetKey();
    setState({ step: 'signed-out', reason });
  };
  const signIn = async (key: Key, isKept: boolean) => {
    const { viewer } = await ask(key, SessionDocument, {});
    waiting.current.abort();
    if (isKept) keepKey(key);
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
  // The link of a start can come into a tab that is open already.
  useEffect(() => {
    const look = () => hasCode() && begin();
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  useEffect(() => (state.step === 'signed-in' ? shareKey() : undefined), [state.step]);

  if (state.step === 'starting')
    return (
      <p class="starting" role="status">
        Loading
      </p>
    );
  if (state.step === 'stuck')
    return (
      <main class="sign-in">
        <h1>Sightline</h1>
        <Problem problem={state.problem} retry={begin} />
      </main>
    );
  if (state.step === 'signed-out') return <SignIn reason={state.reason} signIn={signIn} />;
  return <Shell userKey={state.key} viewer={state.viewer} signOut={signOut} />;
}

/** @returns why the visitor is to sign in, '' where there is nothing to say; undefined where that is done */
async function start(
  signIn: (key: Key, isKept: boolean) => Promise<void>,
  gone: AbortSignal,
): Promise<string | undefined> {
  const late = (key: Key) => void signIn(key, true).catch(() => {});
  const link = await keyOfLink();
  // A reload would find the code used: so the key that it stood for is kept.
  if (link?.key) keepKey(link.key);
  const key = link?.key ?? keptKey() ?? (await keyOfOtherTab(gone, late));
  if (key === undefined) return link ? USED_LINK : '';
  await signIn(key, true);
  return undefined;
}
