import { useContext, useState } from 'preact/hooks';
import { Copy } from '../../../browser/copy.tsx';
import { download, isProxied, type Key, NoAnswer } from '../api.ts';
import { type FilePlace, offer, placeFor } from '../save-file.ts';
import { SessionContext } from '../use-answer.ts';
import { curlFor } from './as-request.tsx';

interface Props {
  /** The path of the export below `/export`. */
  path: string;
  query?: URLSearchParams | undefined;
  about: string;
}

const FORMS = [
  ['csv', 'CSV'],
  ['ndjson', 'NDJSON'],
] as const;

/**
 * Links that download all reports as files. Downloads need an API key, which visitors who sign in at a proxy do not
 * have.
 */
export function Downloads(props: Props) {
  return isProxied ? null : <Files {...props} />;
}

function Files({ path, query, about }: Props) {
  const { key, account, isInternal, signOut } = useContext(SessionContext);
  const [outcome, setOutcome] = useState('');
  const toAddress = (format: string) => {
    const whose = isInternal ? { account } : {};
    return `export/${path}?${new URLSearchParams([...Object.entries({ ...whose, format }), ...(query ?? [])])}`;
  };
  const start = async (format: string) => {
    const name = `${fileName(account, path, query)}.${format}`;
    setOutcome('');
    try {
      const place = await placeFor(name);
      if (place === 'none') return;
      setOutcome('The download has started.');
      await save(key, toAddress(format), name, place);
      setOutcome(place ? `${name} is complete.` : `${name} was passed to the browser.`);
    } catch (error) {
      if (error instanceof NoAnswer && error.kind === 'unauthorized') signOut(error.message);
      setOutcome(describeReason(error));
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
      <Copy text={curlFor(toAddress('ndjson'))} label="Copy as curl" />
      <span role="status" class="quiet">
        {outcome}
      </span>
    </p>
  );
}

/**
 * Returns a file name with account, kind and days, because a folder can contain files of several accounts and periods.
 */
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

function describeReason(error: unknown): string {
  if (!(error instanceof NoAnswer)) return 'The download was interrupted.';
  const { message, again } = error;
  return again ? `${message} Try again in ${Math.ceil((again - Date.now()) / 1000)} s.` : message;
}
