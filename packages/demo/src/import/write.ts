import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { browserFiles } from './browsers.ts';
import { certificateFiles } from './certificates.ts';
import { brokenFiles, dmarcFiles } from './dmarc.ts';
import { exportFiles } from './exports.ts';
import type { DemoFile } from './file.ts';
import { tlsFiles } from './tls.ts';

/**
 * Creates a file in every format that `sightline import` reads, with the variations that occur in practice. Those in
 * `broken/` are completely or partly unreadable.
 * @param day that the reports cover, `YYYY-MM-DD`
 */
export function importFiles(day: string): DemoFile[] {
  const begin = Date.parse(`${day}T00:00:00Z`);
  const makers = [dmarcFiles, tlsFiles, browserFiles, certificateFiles, exportFiles, brokenFiles];
  return makers.flatMap(make => make(begin));
}

/** Writes the files below the folder, and returns their number. */
export async function writeImportFiles(folder: string, day: string): Promise<number> {
  const files = importFiles(day);
  for (const { path, content, modified } of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
    if (modified !== undefined) await utimes(target, modified / 1000, modified / 1000);
  }
  return files.length;
}
