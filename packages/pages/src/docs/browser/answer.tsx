import type { Answer } from './send.ts';

/** Shows an answer: its meaning where that helps, then the body, then the headers. All of it is text. */
export function AnswerView({ answer }: { answer: Answer }) {
  const { status, title, body, isCut, headers } = answer;
  const meaning = meaningOf(answer);
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

function meaningOf({ status, headers, bytes }: Answer): string {
  const wait = headers.find(([name]) => name === 'retry-after')?.[1];
  if (status === 401)
    return 'The service does not know this key, or it is not good any more. It is forgotten.';
  if (status === 429) return `Too many requests. The key can ask again in ${wait ?? 'some'} seconds.`;
  if (status >= 500) return 'The service failed. Its log has the request by the header x-request-id.';
  return status === 200 && bytes === 0 ? 'The answer is empty: nothing fits.' : '';
}
