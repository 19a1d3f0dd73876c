import type { ReceivedAnswer } from './send.ts';

/** Shows a response as plain text: an explanation if there is one, the body, and the headers. */
export function AnswerView({ answer }: { answer: ReceivedAnswer }) {
  const { status, title, body, isCut, headers } = answer;
  const meaning = explain(answer);
  return (
    <section class="answer" aria-label={`Answer: ${title}`}>
      {meaning && (
        <p role="alert" class={status >= 400 ? 'warn' : undefined}>
          {meaning}
        </p>
      )}
      {isCut && <p class="quiet">There is more. This is the beginning.</p>}
      {body && (
        <pre tabIndex={0}>
          <code>{body}</code>
        </pre>
      )}
      <details>
        <summary>Headers</summary>
        <dl class="headers">
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

function explain({ status, headers, bytes }: ReceivedAnswer): string {
  const wait = headers.find(([name]) => name === 'retry-after')?.[1];
  if (status === 401) return 'This key is unknown or no longer valid. It was discarded.';
  if (status === 429) return `Too many requests. Try again in ${wait ?? 'some'} seconds.`;
  if (status >= 500)
    return 'The service failed. Its log contains the request under the value of the header x-request-id.';
  return status === 200 && bytes === 0 ? 'The response is empty: nothing matches.' : '';
}
