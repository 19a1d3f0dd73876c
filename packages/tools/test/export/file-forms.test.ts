import { expect, it } from 'vitest';
import { FILE_FORMS } from '../../src/export/file-forms.ts';
import type { FormName } from '../../src/export/path.ts';

/** Joins pages, each of which consists of chunks, as the command does. */
function join(name: FormName, pages: readonly (readonly string[])[]): string {
  let text = '';
  for (const chunks of pages)
    text += Buffer.concat(
      FILE_FORMS[name].page(
        chunks.map(chunk => Buffer.from(chunk)),
        text === '',
      ),
    );
  return text + FILE_FORMS[name].end(text === '');
}

it.each<[FormName, string, string[][], string]>([
  ['ndjson', 'every line', [['{"a":', '1}\n'], ['{"b":2}\n']], '{"a":1}\n{"b":2}\n'],
  ['csv', 'one header', [['name\na\n'], ['na', 'me\nb\nc\n']], 'name\na\nb\nc\n'],
  ['json', 'one list', [['{"a":1}\n{"b":2}\n'], ['{"c":', '3}\n']], '[\n{"a":1},\n{"b":2},\n{"c":3}\n]\n'],
  ['json', 'nothing of an empty page', [['{"a":1}\n'], [], ['{"b":2}\n']], '[\n{"a":1},\n{"b":2}\n]\n'],
  ['json', 'an empty list without records', [[]], '[]\n'],
])('a file of the form %s has %s', (name, _, pages, text) => {
  expect(join(name, pages)).toBe(text);
});
