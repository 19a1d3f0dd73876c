import { useState } from 'preact/hooks';

/** Maximum length of a text that is shown in full, in characters. */
const MOST = 600;

/** A text that is truncated if it is long, until the visitor expands it. */
export function Long({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || text.length <= MOST) return <bdi class="wrap">{text}</bdi>;
  return (
    <>
      <bdi class="wrap">{text.slice(0, MOST)}…</bdi>{' '}
      <button type="button" class="link" onClick={() => setWhole(true)}>
        Show all {text.length.toLocaleString('en-GB')} characters
      </button>
    </>
  );
}
