import { useContext, useState } from 'preact/hooks';
import { Copy } from '../../../browser/copy.tsx';
import { download, type Key, NoAnswer } from '../api.ts';
import { type FilePlace, offer, placeFor } from '../save-file.ts';
import { SessionContext } from '../use-answer.ts';
import { curlFor } from './as-request.tsx';

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

/** Everything as a file, however much it is. */
export function Downloads({ path, query, about }: Props) {
  const { key, account, isInternal, signOut } = useContext(SessionContext);
  const [outcome, setOutcome] = useState('');
  const addressOf = (format: string) => {
    const whose = isInternal ? { account } : {};
    return `export/${path}?${new URLSearchParams([...Object.entries({ ...whose, format }), ...(query ?? [])])}`;
  };
  const start = async (format: string) => {
    const name = `${fileName(account, path, query)}.${format}`;
    setOutcome('');
    try {
      const place = await placeFor(name);
      if (place === 'none') return;
      setOutcome('The file is on its way.');
      await save(key, addressOf(format), name, place);
      setOutcome(place ? `${name} is complete.` : `${name} was handed to the browser.`);
    } catch (error) {
      if (error instanceof NoAnswer && error.kind === 'unauthorized') signOut(error.message);
      setOutcome(reasonOf(error));
    }
  };
  return (
    <p class="downloads">
      {about}{' '}
      {FORMS.map(([format, label]) => (
        <button key={format} type="button" onClick={() => void start(format)}>
          {label}
        </button>
      ))}{' '}
      <Copy text={curlFor(addressOf('ndjson'))} label="Copy as curl" />
      <span role="status" class="quiet">
        {outcome}
      </span>
    </p>
  );
}

/** Account, kind and days: files of several accounts and periods lie in one folder. */
function fileName(account: string, path: string, query: URLSearchParams | undefined): string {
  const days = [query?.get('from'), query?.get('to') ?? new Date().toISOString()];
  const parts = [account, path.split('/').at(-1)!, ...days.map(instant => instant?.slice(0, 10))];
  return parts
    .filter(Boolean)
    .map(part => part!.replace(/[^\w.@-]+/g, '_'))
    .join('-');
}

async function save(key: Key, address: string, name: string, place: FilePlace | undefined): Promise<void> {
  const response = await download(key, address);
  if (place) await response.body!.pipeTo(await place.createWritable());
  else offer(await response.blob(), name);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof NoAnswer)) return 'The file broke off.';
  const { message, again } = error;
  return again ? `${message} Try again in ${Math.ceil((again - Date.now()) / 1000)} s.` : message;
}
