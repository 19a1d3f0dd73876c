import type { TargetedEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Copy } from '../../browser/copy.tsx';
import { AnswerView } from './answer.tsx';
import { KeyField } from './key.tsx';
import { callOf, type Question } from './operation.ts';
import { LANGUAGES, samples } from './samples.ts';
import { type Answer, NoAnswer, Stopped, send } from './send.ts';
import { key, language } from './shared.ts';
import { ValueFields } from './values.tsx';

/** Where the service is: for who copies a request, and for the page itself. Without a slash at the end. */
export interface Places {
  base: string;
  root: string;
}

/** The outcome of a request. */
type Outcome = { answer: Answer } | { failure: string } | 'waiting' | 'stopped' | undefined;

interface Props {
  /** As it stands in the page that was served. */
  initial: Question;
  /** As it is now. */
  current?: Question;
  places: Places;
}

/** A request: in three languages, with values to change, to be sent from here. */
export function Request({ initial, current = initial, places }: Props) {
  const [question, setQuestion] = useState(initial);
  const [outcome, setOutcome] = useState<Outcome>();
  const [asksForKey, setAsksForKey] = useState(false);
  const underWay = useRef(new AbortController());
  const isWaiting = outcome === 'waiting';
  // A browser takes what was served as it is, so what differs comes after that.
  useEffect(() => setQuestion(current), []);
  const submit = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isWaiting) return;
    const given = new FormData(event.currentTarget).get('key');
    if (given) key.value = String(given);
    if (!key.value) return setAsksForKey(true);
    setAsksForKey(false);
    setOutcome('waiting');
    underWay.current = new AbortController();
    setOutcome(await outcomeOf(question, places.root, underWay.current.signal));
  };
  const stop = (event: MouseEvent) => {
    // The button is "Send" again before the click is over.
    event.preventDefault();
    // The second click of a double one was meant for "Send".
    if (event.detail < 2) underWay.current.abort();
  };
  return (
    <form class="request" onSubmit={submit}>
      <Samples question={question} base={places.base} />
      {'operation' in question && <ValueFields question={question} onChange={setQuestion} />}
      {asksForKey && <KeyField />}
      <p class="send">
        <button
          type={isWaiting ? 'button' : 'submit'}
          class={isWaiting ? undefined : 'primary'}
          onClick={isWaiting ? stop : undefined}
        >
          {isWaiting ? 'Stop' : 'Send'}
        </button>
        <span role="status">{isWaiting ? 'On its way …' : summaryOf(outcome)}</span>
      </p>
      {typeof outcome === 'object' && 'failure' in outcome && (
        <p role="alert" class="warn">
          {outcome.failure}
        </p>
      )}
      {typeof outcome === 'object' && 'answer' in outcome && <AnswerView answer={outcome.answer} />}
    </form>
  );
}

async function outcomeOf(question: Question, root: string, signal: AbortSignal): Promise<Outcome> {
  try {
    const answer = await send(callOf(question), root, key.value, signal);
    // It would only be refused again.
    if (answer.status === 401) key.value = '';
    return { answer };
  } catch (error) {
    if (error instanceof Stopped) return 'stopped';
    if (error instanceof NoAnswer) return { failure: error.message };
    throw error;
  }
}

function summaryOf(outcome: Outcome): string {
  if (outcome === 'stopped') return 'Stopped.';
  if (typeof outcome !== 'object' || !('answer' in outcome)) return '';
  const { title, milliseconds, bytes } = outcome.answer;
  return `${title} · ${Math.round(milliseconds)} ms · ${bytes.toLocaleString('en-GB')} bytes`;
}

function Samples({ question, base }: { question: Question; base: string }) {
  const chosen = language.use();
  const texts = samples(question, base);
  return (
    <>
      <fieldset class="bar">
        <legend class="sr-only">Language</legend>
        {LANGUAGES.map(name => (
          <button
            key={name}
            type="button"
            aria-pressed={name === chosen}
            onClick={() => {
              language.value = name;
            }}
          >
            {name}
          </button>
        ))}
        <Copy text={texts[chosen]} label="Copy" />
      </fieldset>
      {LANGUAGES.map(name => (
        <pre key={name} class="sample" data-language={name}>
          <code>{texts[name]}</code>
        </pre>
      ))}
    </>
  );
}
