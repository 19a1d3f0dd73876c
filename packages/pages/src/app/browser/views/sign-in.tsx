import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Key, NoAnswer } from '../api.ts';
import { Problem } from '../parts/states.tsx';
import { asNoAnswer } from '../use-answer.ts';

interface Props {
  reason?: string | undefined;
  signIn(key: Key, isKept: boolean): Promise<void>;
}

/** Asks for the key. It is sent to this service alone, as a bearer token. */
export function SignIn({ reason, signIn }: Props) {
  const [problem, setProblem] = useState<NoAnswer | undefined>(
    reason === undefined ? undefined : new NoAnswer('unauthorized', reason),
  );
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // The attribute for it is looked at by the browser later, and complains where somebody was quicker.
  useLayoutEffect(() => input.current?.focus(), []);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setProblem(undefined);
    try {
      await signIn(String(fields.get('key')).trim(), fields.get('keep') === 'on');
    } catch (error) {
      setProblem(asNoAnswer(error));
      setBusy(false);
    }
  };

  return (
    <main class="sign-in">
      <h1>Sightline</h1>
      <p>What browsers and mail servers report about your sites.</p>
      {problem && <Problem problem={problem} />}
      <form onSubmit={submit}>
        <label>
          API key
          <input ref={input} name="key" type="password" required autocomplete="off" spellcheck={false} />
        </label>
        <label class="check">
          <input name="keep" type="checkbox" /> Keep it until the tabs of this page are closed
        </label>
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? 'Signing in' : 'Sign in'}
        </button>
      </form>
      <p class="quiet">
        The key is sent to this service alone, and never stands in the address.{' '}
        <a href="docs" target="_blank" rel="noopener">
          API documentation
        </a>
      </p>
    </main>
  );
}
