import { useContext, useState } from 'preact/hooks';
import { download, NoAnswer } from '../api.ts';
import { SessionContext } from '../use-answer.ts';

interface Props {
  /** Below `/export`. */
  path: string;
  query?: URLSearchParams | undefined;
  about: string;
}

const FORMS = [
  ['csv', 'CSV'],
  ['ndjson', 'NDJSON'],
] as const;

/** Everything as a file, however much it is. An internal token has no account that `/export` could be of. */
export function Downloads({ path, query, about }: Props) {
  const { key, canExport } = useContext(SessionContext);
  const [outcome, setOutcome] = useState('');
  if (!canExport) return null;
  const save = (format: string) => {
    setOutcome('The file is on its way.');
    const name = `${path.split('/').at(-1)}.${format}`;
    download(key, `export/${path}?${new URLSearchParams([...(query ?? []), ['format', format]])}`).then(
      file => {
        offer(file, name);
        setOutcome(`${name} was handed to the browser.`);
      },
      error => setOutcome(error instanceof NoAnswer ? error.message : 'The file broke off.'),
    );
  };
  return (
    <p class="downloads">
      {about}{' '}
      {FORMS.map(([format, label]) => (
        <button key={format} type="button" onClick={() => save(format)}>
          {label}
        </button>
      ))}{' '}
      <span role="status" class="quiet">
        {outcome}
      </span>
    </p>
  );
}

function offer(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser takes it in a task of its own.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
