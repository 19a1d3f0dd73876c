import { existsSync, readFileSync } from 'node:fs';

/** Returns the version in package.json, of the checkout or the build. */
export function serviceVersion(): string {
  const candidates = ['../../package.json', '../../../package.json'].map(
    path => new URL(path, import.meta.url),
  );
  const file = candidates.find(candidate => existsSync(candidate));
  return file ? JSON.parse(readFileSync(file, 'utf8')).version : 'unknown';
}
