import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** The file that lists the files of a build. */
const LIST = 'files.json';

/** Files that are imported on demand. All others are read at start-up, or have the same name in every version. */
const IMPORTED = join('src', 'chunks', '/');

/**
 * Replaces a build while it may be running. Each file is replaced atomically, and files that the previous version can
 * still import stay until the next build.
 * @param draft the new build, which is moved
 * @param entry is replaced last, once all its imports are in place
 */
export function putInPlace(draft: string, dist: string, entry: string): void {
  const files = listFiles(draft);
  const last = [entry, LIST];
  const order = [
    ...files.filter(file => !last.includes(file)),
    ...files.filter(file => file === entry),
    LIST,
  ];
  const before = listOwn(dist);
  writeFileSync(join(draft, LIST), JSON.stringify(files));
  for (const file of order) {
    const to = join(dist, file);
    // An earlier build could have had a folder of that name.
    if (existsSync(to) && statSync(to).isDirectory()) rmSync(to, { recursive: true });
    mkdirSync(dirname(to), { recursive: true });
    renameSync(join(draft, file), to);
  }
  const kept = new Set([...before.filter(file => file.startsWith(IMPORTED)), ...order]);
  for (const file of listFiles(dist)) if (!kept.has(file)) rmSync(join(dist, file));
  rmSync(draft, { recursive: true });
}

/** Lists the files of the installed build. Without a list, these are all files. */
function listOwn(dist: string): string[] {
  const list = join(dist, LIST);
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : listFiles(dist);
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return entries.filter(entry => !statSync(join(folder, entry)).isDirectory());
}
