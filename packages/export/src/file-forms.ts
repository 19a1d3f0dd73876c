import type { FormName } from './path.ts';

/** Joins pages into one file. */
export interface FileForm {
  /** The form that the command requests from the service. */
  asked: FormName;
  /** @param isFirst whether no records were written before */
  page(body: Buffer, isFirst: boolean): Buffer;
  /** @param isEmpty whether no records were written at all */
  end(isEmpty: boolean): string;
}

const NEWLINE = '\n'.charCodeAt(0);

/** A page of CSV has a header of its own; names of fields hold no end of a line. */
function withoutHeader(body: Buffer): Buffer {
  return body.subarray(body.indexOf(NEWLINE) + 1);
}

/** Lines as the items of an array. */
function items(body: Buffer, isFirst: boolean): Buffer {
  const lines = body.toString().trimEnd();
  if (lines === '') return Buffer.alloc(0);
  return Buffer.from((isFirst ? '[\n' : ',\n') + lines.replaceAll('\n', ',\n'));
}

export const FILE_FORMS: Readonly<Record<FormName, FileForm>> = {
  ndjson: { asked: 'ndjson', page: body => body, end: () => '' },
  csv: { asked: 'csv', page: (body, isFirst) => (isFirst ? body : withoutHeader(body)), end: () => '' },
  json: { asked: 'ndjson', page: items, end: isEmpty => (isEmpty ? '[]\n' : '\n]\n') },
};
