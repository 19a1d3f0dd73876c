import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { ask, type Key, NoAnswer } from './api.ts';
import type { TypedDocumentString } from './documents/documents.generated.ts';

/** Who looks: with which key, at which account. */
export interface Session {
  key: Key;
  account: string;
  /** Whether the key is the account's own, as `/export` needs it. */
  canExport: boolean;
  /** Goes up whenever the visitor wants all answers anew. */
  minutes: number;
  /** Forgets the key, and says why. */
  signOut(reason?: string): void;
}

export const SessionContext = createContext<Session>({
  key: '',
  account: '',
  canExport: false,
  minutes: 0,
  signOut() {},
});

export interface Asked<Data> {
  /** The last answer, also while the next is on its way. */
  data: Data | undefined;
  isLoading: boolean;
  error: NoAnswer | undefined;
  retry(): void;
}

/** The answer to a query. It is asked again whenever the variables change, and when a rate limit is over. */
export function useAnswer<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Asked<Data> {
  const { key, minutes, signOut } = useContext(SessionContext);
  const [state, setState] = useState<Omit<Asked<Data>, 'retry'>>({
    data: undefined,
    isLoading: true,
    error: undefined,
  });
  const [round, setRound] = useState(0);
  const retry = () => setRound(before => before + 1);
  const question = JSON.stringify(variables);
  useEffect(() => {
    const gone = new AbortController();
    setState(before => ({ ...before, isLoading: true }));
    ask(key, document, variables, gone.signal).then(
      data => !gone.signal.aborted && setState({ data, isLoading: false, error: undefined }),
      error => {
        if (gone.signal.aborted) return;
        if (error instanceof NoAnswer && error.kind === 'unauthorized') return signOut(error.message);
        setState(before => ({ ...before, isLoading: false, error: asNoAnswer(error) }));
      },
    );
    return () => gone.abort();
  }, [key, document, question, round, minutes]);

  const again = state.error?.again;
  useEffect(() => {
    if (again === undefined) return;
    const timer = setTimeout(retry, Math.max(0, again - Date.now()) + 100);
    return () => clearTimeout(timer);
  }, [again]);

  return { ...state, retry };
}

function asNoAnswer(error: unknown): NoAnswer {
  return error instanceof NoAnswer ? error : new NoAnswer('failed', 'The page failed on this answer.');
}
