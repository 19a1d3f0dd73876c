import { existsSync, readFileSync } from 'node:fs';

/** The service's own version, as package.json has it: from the sources of a checkout, or from what is built of them. */
export function serviceVersion(): string {
  const candidates = ['../../package.json', '../../../package.json'].map(
    path => new URL(path, import.meta.url),
  );
  const file = candidates.find(candidate => existsSync(candidate));
  return file ? JSON.parse(readFileSync(file, 'utf8')).version : 'unknown';
}
