import { HttpResponse } from 'msw';

/** A response of the description. */
export interface Described {
  headers: Readonly<Record<string, string>>;
  /** Bodies by the names of the examples; none where the answer has no body. */
  bodies: Readonly<Record<string, unknown>>;
}

type Records = readonly { type?: string }[];

/** Headers of an answer to `after` alone. */
const OF_ARRIVALS = ['Link', 'Sightline-Cursor', 'Retry-After'];

/** The examples for a path: of reports, those of the type that it ends with. */
export function exampleRecords({ bodies }: Described, { url }: Request): Records | undefined {
  const lists = Object.values(bodies) as Records[];
  const type = new URL(url).pathname.split('/').at(-1);
  return lists.length === 1 ? lists[0] : lists.find(([first]) => first?.type === type);
}

/** All records, or those behind a cursor: all behind any but the documented one, and none behind that. */
export function exported({ headers }: Described, { url }: Request, records: readonly object[]): Response {
  const query = new URL(url).searchParams;
  const after = query.get('after');
  const isOver = after === 'now' || after === headers['Sightline-Cursor'];
  const rows = isOver ? [] : records;
  const left = after === null ? OF_ARRIVALS : isOver ? [] : ['Retry-After'];
  const kept = Object.entries(headers).filter(([name]) => name !== 'Sightline-Gap' && !left.includes(name));
  const isJson = query.get('format') === 'json';
  if (!isJson && query.get('format') === 'csv') throw new Error('The mocks have no CSV');
  return new HttpResponse(
    isJson ? JSON.stringify(rows) : rows.map(row => `${JSON.stringify(row)}\n`).join(''),
    {
      headers: [
        ...kept,
        ['Content-Type', isJson ? 'application/json; charset=utf-8' : 'application/x-ndjson'],
      ],
    },
  );
}
