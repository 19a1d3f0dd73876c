import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Address } from './address.ts';
import { ask, type Key, NoAnswer } from './api.ts';
import type { TypedDocumentString } from './documents/documents.generated.ts';

/** The visitor: a key, and the account that is looked at. */
export interface Session {
  key: Key;
  account: string;
  /** True for an internal token, which names the account with each request. */
  isInternal: boolean;
  /** Goes up whenever the visitor wants all answers anew. */
  minutes: number;
  /** Has all answers asked for anew, as a minute does. */
  renew(): void;
  /** The last answers, by question: the way back needs no wait. */
  answers: Map<string, Answer<unknown, unknown>>;
  /** Forgets the key, and says why. */
  signOut(reason?: string): void;
}

export const SessionContext = createContext<Session>({
  key: '',
  account: '',
  isInternal: false,
  minutes: 0,
  renew() {},
  answers: new Map(),
  signOut() {},
});

/** An answer of the service, with its question. */
export interface Answer<Data, Variables> {
  data: Data;
  variables: Variables;
  /** Where the visitor was when this was asked: period, filters and order of these numbers. */
  address: Address;
}

export interface Asked<Data, Variables> {
  /** The last answer, also while the next is on its way. */
  answer: Answer<Data, Variables> | undefined;
  /** True if it answers the present question. */
  isCurrent: boolean;
  isLoading: boolean;
  /** The reason, where the present question has no answer. */
  error: NoAnswer | undefined;
  retry(): void;
}

interface State<Data, Variables> {
  answer?: Answer<Data, Variables>;
  error?: NoAnswer;
  /** The variables of the answer, and of the error, as text; and the question that came last. */
  answered?: string;
  failed?: string;
  question?: string;
}

/** The answer to a query. It is asked again whenever the variables change; without any, nothing is asked. */
export function useAnswer<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables | undefined,
  address: Address,
): Asked<Data, Variables> {
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

  // All is told from what was asked, not set beside it: no picture shows an answer as that of another question.
  const known = state.answered === text ? state.answer : (answers.get(text ?? '') as Answer<Data, Variables>);
  const isCurrent = known !== undefined;
  return {
    // An order of what is there already asks for nothing: the same answer is shown at another address.
    answer: known ? { ...known, address } : state.answer,
    isCurrent,
    isLoading: variables !== undefined && state.question !== question,
    error: state.failed === text ? state.error : undefined,
    retry: () => setRound(before => before + 1),
  };
}

const MOST_ANSWERS = 10;

function keep(answers: Session['answers'], text: string, answer: Answer<unknown, unknown>): void {
  answers.delete(text);
  answers.set(text, answer);
  const [oldest] = answers.keys();
  if (answers.size > MOST_ANSWERS) answers.delete(oldest!);
}

/** The text by which a query with its variables is found again. */
export function questionText<Variables>(
  document: TypedDocumentString<unknown, Variables>,
  variables: Variables,
): string {
  return `${/query \w+/.exec(String(document))} ${JSON.stringify(variables)}`;
}

export function asNoAnswer(error: unknown): NoAnswer {
  return error instanceof NoAnswer ? error : new NoAnswer('failed', 'The page failed on this answer.');
}
