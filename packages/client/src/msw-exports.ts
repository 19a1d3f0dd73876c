import { HttpResponse } from 'msw';

/** A documented response. */
export interface ResponseExamples {
  headers: Readonly<Record<string, string>>;
  /** Bodies by example name; empty if there is no body. */
  bodies: Readonly<Record<string, unknown>>;
}

type Records = readonly { type?: string }[];

/** Headers that only responses to `after` have. */
const OF_ARRIVALS = ['Link', 'Sightline-Cursor', 'Retry-After'];

/** Returns the examples for a path; for reports, those of the type at its end. */
export function exampleRecords({ bodies }: ResponseExamples, { url }: Request): Records | undefined {
  const lists = Object.values(bodies) as Records[];
  const type = new URL(url).pathname.split('/').at(-1);
  return lists.length === 1 ? lists[0] : lists.find(([first]) => first?.type === type);
}

/** Returns all records, or those after a cursor: all for any other cursor than the documented one, which is the end. */
export function exported(
  { headers }: ResponseExamples,
  { url }: Request,
  records: readonly object[],
): Response {
  const query = new URL(url).searchParams;
  const after = query.get('after');
  const isOver = after === 'now' || after === headers['Sightline-Cursor'];
  const rows = isOver ? [] : records;
  const left = after === null ? OF_ARRIVALS : isOver ? [] : ['Retry-After'];
  const remaining = Object.entries(headers).filter(
    ([name]) => name !== 'Sightline-Gap' && !left.includes(name),
  );
  const isJson = query.get('format') === 'json';
  if (!isJson && query.get('format') === 'csv') throw new Error('The mocks have no CSV');
  return new HttpResponse(
    isJson ? JSON.stringify(rows) : rows.map(row => `${JSON.stringify(row)}\n`).join(''),
    {
      headers: [
        ...remaining,
        ['Content-Type', isJson ? 'application/json; charset=utf-8' : 'application/x-ndjson; charset=utf-8'],
      ],
    },
  );
}
