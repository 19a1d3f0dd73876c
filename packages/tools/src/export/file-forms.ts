import type { FormName } from './path.ts';

type Chunks = readonly Uint8Array[];

/** How the pages of an export are joined into one file. */
export interface FileForm {
  /** The format to request from the service. */
  requested: FormName;
  /**
   * Converts a page to a part of the file.
   * @param isFirst true for the first page with records
   */
  page(chunks: Chunks, isFirst: boolean): Chunks;
  /**
   * Returns the end of the file.
   * @param isEmpty true if there were no records
   */
  end(isEmpty: boolean): string;
}

const NEWLINE = '\n'.charCodeAt(0);

/** Removes the CSV header, with which each page begins. Field names contain no line breaks. */
function withoutHeader(chunks: Chunks): Chunks {
  const body = Buffer.concat(chunks);
  return [body.subarray(body.indexOf(NEWLINE) + 1)];
}

/** Converts lines to items of a JSON array. */
function items(chunks: Chunks, isFirst: boolean): Chunks {
  const lines = Buffer.concat(chunks).toString().trimEnd();
  if (lines === '') return [];
  return [Buffer.from((isFirst ? '[\n' : ',\n') + lines.replaceAll('\n', ',\n'))];
}

export const FILE_FORMS: Readonly<Record<FormName, FileForm>> = {
  ndjson: { requested: 'ndjson', page: chunks => chunks, end: () => '' },
  csv: {
    requested: 'csv',
    page: (chunks, isFirst) => (isFirst ? chunks : withoutHeader(chunks)),
    end: () => '',
  },
  json: { requested: 'ndjson', page: items, end: isEmpty => (isEmpty ? '[]\n' : '\n]\n') },
};
