import type { TargetedEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Copy } from '../../browser/copy.tsx';
import { AnswerView } from './answer.tsx';
import { KeyField } from './key.tsx';
import { type Question, toCall } from './operation.ts';
import { LANGUAGES, samples } from './samples.ts';
import { type ReceivedAnswer, RequestCancelled, SendFailed, send } from './send.ts';
import { key, language } from './shared.ts';
import { ValueFields } from './values.tsx';

/** The URLs of the service, without a trailing slash: one for readers who copy a request, one for the page itself. */
export interface ServiceUrls {
  base: string;
  root: string;
}

/** The state of a request. */
type RequestOutcome = { answer: ReceivedAnswer } | { failure: string } | 'waiting' | 'stopped' | undefined;

interface Props {
  /** The request of the served page. */
  initial: Question;
  /** The current request. */
  current?: Question;
  places: ServiceUrls;
}

/** A request in three languages, with editable values and a button that sends it. */
export function Request({ initial, current = initial, places }: Props) {
  const [question, setQuestion] = useState(initial);
  const [outcome, setOutcome] = useState<RequestOutcome>();
  const [asksForKey, setAsksForKey] = useState(false);
  const underWay = useRef(new AbortController());
  const isWaiting = outcome === 'waiting';
  // Changes are applied after hydration, which expects the served markup.
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
    setOutcome(await toOutcome(question, places.root, underWay.current.signal));
  };
  const stop = (event: MouseEvent) => {
    // The click must not submit the form, because the button is "Send" again before the click ends.
    event.preventDefault();
    // The second click of a double click is ignored, because it was meant for "Send".
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
        <span role="status">{isWaiting ? 'On its way …' : summarize(outcome)}</span>
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

async function toOutcome(question: Question, root: string, signal: AbortSignal): Promise<RequestOutcome> {
  try {
    const answer = await send(toCall(question), root, key.value, signal);
    // The key is forgotten, because the service would refuse it again.
    if (answer.status === 401) key.value = '';
    return { answer };
  } catch (error) {
    if (error instanceof RequestCancelled) return 'stopped';
    if (error instanceof SendFailed) return { failure: error.message };
    throw error;
  }
}

function summarize(outcome: RequestOutcome): string {
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
