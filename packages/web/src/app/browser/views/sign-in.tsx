import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Key, NoAnswer } from '../api.ts';
import { Problem } from '../parts/states.tsx';
import { asNoAnswer } from '../use-answer.ts';

interface Props {
  reason?: string | undefined;
  signIn(key: Key, isStored: boolean): Promise<void>;
}

/** The form for the API key. The key is sent only to this service, as a bearer token. */
export function SignIn({ reason, signIn }: Props) {
  const [problem, setProblem] = useState<NoAnswer | undefined>(
    reason === undefined ? undefined : new NoAnswer('unauthorized', reason),
  );
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // Used instead of `autofocus`, which browsers process late and with a warning if another element already has focus.
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
          <input name="keep" type="checkbox" /> Keep the key until all tabs of this page are closed
        </label>
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? 'Signing in' : 'Sign in'}
        </button>
      </form>
      <p class="quiet">
        The key is sent only to this service and never appears in the address.{' '}
        <a href="docs" target="_blank" rel="noopener">
          API documentation
        </a>
      </p>
    </main>
  );
}
