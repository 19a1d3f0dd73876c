import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { browserFiles } from './browsers.ts';
import { certificateFiles } from './certificates.ts';
import { brokenFiles, dmarcFiles } from './dmarc.ts';
import { exportFiles } from './exports.ts';
import type { DemoFile } from './file.ts';
import { tlsFiles } from './tls.ts';

/**
 * A file of every form that `sightline import` reads, with what deviates in the wild. Those in `broken/` cannot be
 * read, or not all of them.
 * @param day what they are about, `YYYY-MM-DD`
 */
export function importFiles(day: string): DemoFile[] {
  const begin = Date.parse(`${day}T00:00:00Z`);
  const makers = [dmarcFiles, tlsFiles, browserFiles, certificateFiles, exportFiles, brokenFiles];
  return makers.flatMap(make => make(begin));
}

/** Writes them below the folder, and answers with how many there are. */
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
