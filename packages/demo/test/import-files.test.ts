import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cspContextOfReport, readOriginal } from '@sightline/reports';
import { expect, it } from 'vitest';
import { groupBy } from '../../../schema/insights/group-by.ts';
import { type ImportResult, importBytes, type Record } from '../../importer/test/reports.ts';
import { importFiles, writeImportFiles } from '../src/import/write.ts';

const DAY = '2026-03-01';
/** The importer refuses dates after the next day. */
const now = new Date('2026-03-02T08:00:00Z');

const read = (path: string, content: string | Uint8Array, modified: number): Promise<ImportResult> =>
  importBytes(
    Buffer.from(content),
    { now },
    { modified, place: path, name: path.slice(path.lastIndexOf('/') + 1) },
  );

/** Gives each value a number, so that equal values are visible and the values themselves are not. */
function numberValues(): (value: string) => number {
  const seen = new Map<string, number>();
  return value => {
    if (!seen.has(value)) seen.set(value, seen.size + 1);
    return seen.get(value)!;
  };
}

/** Identifiers and digests, of which only equality matters. */
const NUMBERED = /^(id|sha256|sha256Spki|sha256Tbs|hash|serialNumber)$/;

/** Returns the fields to show. Of an original text, these are the values that the loader reads from it. */
function listFields({ kind, accountId, raw, publishedPolicy = {}, ...record }: Record): [string, string][] {
  const context = record.type === 'csp' ? cspContextOfReport(readOriginal(raw)) : {};
  const published = Object.entries(publishedPolicy).map(
    ([tag, value]) => [`published.${tag}`, value] as const,
  );
  return [...Object.entries(record), ...published, ...Object.entries(context)].map(([name, value]) => [
    name,
    JSON.stringify(value),
  ]);
}

it('every demo file for an import is read as recorded', async () => {
  const numbers = new Map<string, (value: string) => number>();
  const show = (name: string, value: string) => {
    if (!NUMBERED.test(name)) return value;
    const number = numbers.get(name) ?? numberValues();
    numbers.set(name, number);
    return `#${number(value)}`;
  };
  let text = '';
  for (const [folder, files] of groupBy(importFiles(DAY), ({ path }) => path.split('/', 1)[0]!)) {
    /** The first record of each type in the folder. The others are shown by how they differ from it. */
    const firsts = new Map<string, Map<string, string>>();
    text += `# ${folder}\n`;
    for (const { path, content, modified = Date.parse(`${DAY}T03:00:00Z`) } of files) {
      const found = await read(path, content, modified);
      text += `${path.slice(folder.length + 1).replace(/[0-9a-f]{64}/, 'SHA256')}: ${found.records.length}\n`;
      for (const record of found.records) {
        const fields = new Map(listFields(record).map(([name, value]) => [name, show(name, value)]));
        const first = firsts.get(record.type) ?? new Map();
        if (first.size === 0) firsts.set(record.type, fields);
        const names = [...new Set([...first.keys(), ...fields.keys()])];
        const differing = names.filter(name => first.get(name) !== fields.get(name));
        text += `  ${record.type} ${differing.map(name => `${name}=${fields.get(name) ?? 'none'}`).join(' ')}\n`;
      }
      for (const line of found.certificates)
        text += `  certificate #${show('sha256', JSON.stringify(line.sha256))}\n`;
      for (const line of [...found.skipped, ...found.unstored, ...found.deleted])
        text += `  also ${typeof line === 'string' ? line : JSON.stringify(line)}\n`;
    }
  }
  await expect(text).toMatchFileSnapshot('./recorded/import-files.txt');
});

it('the files for an import are written below the folder, with the times that their reports need', {
  tags: 'slow',
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-test-demo-'));
  try {
    const files = importFiles(DAY);
    expect(await writeImportFiles(join(folder, 'new/import'), DAY)).toBe(files.length);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    expect(entries.filter(entry => entry.isFile())).toHaveLength(files.length);
    for (const { path, content, modified } of files) {
      const target = join(folder, 'new/import', path);
      expect((await readFile(target)).equals(Buffer.from(content))).toBe(true);
      if (modified !== undefined) expect((await stat(target)).mtimeMs).toBe(modified);
    }
    // Written again, the same files are replaced.
    expect(await writeImportFiles(join(folder, 'new/import'), '2026-03-02')).toBe(files.length);
    const again = await readFile(join(folder, 'new/import/browsers/nginx-json.log'), 'utf8');
    expect(again).toContain('2026-03-02T10:00:00.000Z');
    expect(again).not.toContain(DAY);
  } finally {
    await rm(folder, { recursive: true });
  }
});
