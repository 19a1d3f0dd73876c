import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Address } from './address.ts';
import { ask, type Key, NoAnswer } from './api.ts';
import type { TypedDocumentString } from './documents/documents.generated.ts';

/** The visitor's key and selected account. */
export interface PageSession {
  key: Key;
  account: string;
  /** True for an internal token, which can select any account. */
  isInternal: boolean;
  /** Incremented on each refresh. */
  minutes: number;
  /** Refreshes all results now. */
  renew(): void;
  /** A cache of recent results by query, so that going back needs no request. */
  answers: Map<string, QueryAnswer<unknown, unknown>>;
  /** Forgets the key, and shows the reason if there is one. */
  signOut(reason?: string): void;
}

export const SessionContext = createContext<PageSession>({
  key: '',
  account: '',
  isInternal: false,
  minutes: 0,
  renew() {},
  answers: new Map(),
  signOut() {},
});

/** The result of a query, with its variables. */
export interface QueryAnswer<Data, Variables> {
  data: Data;
  variables: Variables;
  /** The address for which the query was sent, with the period, filters and order of the result. */
  address: Address;
}

export interface QueryRequest<Data, Variables> {
  /** The last result, which stays available while the next one loads. */
  answer: QueryAnswer<Data, Variables> | undefined;
  /** True if the result belongs to the current query. */
  isCurrent: boolean;
  isLoading: boolean;
  /** The error of the current query, if it failed. */
  error: NoAnswer | undefined;
  retry(): void;
}

interface State<Data, Variables> {
  answer?: QueryAnswer<Data, Variables>;
  error?: NoAnswer;
  /** The query texts of the result, of the error and of the latest request. */
  answered?: string;
  failed?: string;
  question?: string;
}

/**
 * A hook that sends a query whenever its variables change, and returns its state. Sends nothing while the variables are
 * undefined.
 */
export function useAnswer<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables | undefined,
  address: Address,
): QueryRequest<Data, Variables> {
  const { key, minutes, answers, signOut } = useContext(SessionContext);
  const [state, setState] = useState<State<Data, Variables>>({});
  const [round, setRound] = useState(0);
  const text = variables && questionText(document, variables);
  const question = JSON.stringify([text, round, minutes]);
  useEffect(() => {
    if (variables === undefined) return;
    const gone = new AbortController();
    ask(key, document, variables, gone.signal).then(
      data => {
        if (gone.signal.aborted) return;
        const answer = { data, variables, address };
        keep(answers, text!, answer);
        setState({ answer, answered: text!, question });
      },
      error => {
        if (gone.signal.aborted) return;
        if (error instanceof NoAnswer && error.kind === 'unauthorized') return signOut(error.message);
        setState(before => ({ ...before, error: asNoAnswer(error), failed: text!, question }));
      },
    );
    return () => gone.abort();
  }, [key, document, question]);

  // Results are matched by query text, so that no render shows the result of another query.
  const existing =
    state.answered === text ? state.answer : (answers.get(text ?? '') as QueryAnswer<Data, Variables>);
  const isCurrent = existing !== undefined;
  return {
    // The same result can be shown at another address, such as when only the order of its rows changes.
    answer: existing ? { ...existing, address } : state.answer,
    isCurrent,
    isLoading: variables !== undefined && state.question !== question,
    error: state.failed === text ? state.error : undefined,
    retry: () => setRound(before => before + 1),
  };
}

const MOST_ANSWERS = 10;

function keep(answers: PageSession['answers'], text: string, answer: QueryAnswer<unknown, unknown>): void {
  answers.delete(text);
  answers.set(text, answer);
  const [oldest] = answers.keys();
  if (answers.size > MOST_ANSWERS) answers.delete(oldest!);
}

/** Returns the cache key of a query and its variables. */
export function questionText<Variables>(
  document: TypedDocumentString<unknown, Variables>,
  variables: Variables,
): string {
  return `${/query \w+/.exec(String(document))} ${JSON.stringify(variables)}`;
}

export function asNoAnswer(error: unknown): NoAnswer {
  return error instanceof NoAnswer
    ? error
    : new NoAnswer('failed', 'The page could not process this answer.');
}
