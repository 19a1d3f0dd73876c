import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { ask, type Key, NoAnswer } from './api.ts';
import type { TypedDocumentString } from './documents/documents.generated.ts';

/** Who looks: with which key, at which account. */
export interface Session {
  key: Key;
  account: string;
  /** Whether it is an internal token, which names the account with each request. */
  isInternal: boolean;
  /** Goes up whenever the visitor wants all answers anew. */
  minutes: number;
  /** Forgets the key, and says why. */
  signOut(reason?: string): void;
}

export const SessionContext = createContext<Session>({
  key: '',
  account: '',
  isInternal: false,
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

interface State<Data> extends Pick<Asked<Data>, 'data' | 'error'> {
  /** What the data or the error answers. */
  question: string | undefined;
}

/** The answer to a query. It is asked again whenever the variables change. */
export function useAnswer<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Asked<Data> {
  const { key, minutes, signOut } = useContext(SessionContext);
  const [state, setState] = useState<State<Data>>({ data: undefined, error: undefined, question: undefined });
  const [round, setRound] = useState(0);
  const retry = () => setRound(before => before + 1);
  const question = JSON.stringify([variables, round, minutes]);
  useEffect(() => {
    const gone = new AbortController();
    ask(key, document, variables, gone.signal).then(
      data => !gone.signal.aborted && setState({ data, error: undefined, question }),
      error => {
        if (gone.signal.aborted) return;
        if (error instanceof NoAnswer && error.kind === 'unauthorized') return signOut(error.message);
        setState(({ data }) => ({ data, error: asNoAnswer(error), question }));
      },
    );
    return () => gone.abort();
  }, [key, document, question]);

  const { data, error } = state;
  // Told from the question, not set beside it: no picture shows an earlier answer as that of a new question.
  return { data, error, isLoading: state.question !== question, retry };
}

export function asNoAnswer(error: unknown): NoAnswer {
  return error instanceof NoAnswer ? error : new NoAnswer('failed', 'The page failed on this answer.');
}
