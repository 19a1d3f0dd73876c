import { useState } from 'preact/hooks';

/** A text of this many characters is shown whole. */
const MOST = 600;

/** A text of any length: a long one is cut until all of it is asked for. */
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
