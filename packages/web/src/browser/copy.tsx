import { useState } from 'preact/hooks';

/** A button that copies a text to the clipboard and confirms it. */
export function Copy({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome('Copied.'),
      () => setOutcome('The browser did not allow it: select the text.'),
    );
  return (
    <span class="copy">
      <button type="button" onClick={copy}>
        {label}
      </button>
      <span role="status">{outcome}</span>
    </span>
  );
}
