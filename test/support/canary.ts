/** The number of characters of a key that cannot appear by chance. */
const PART = 12;

/** The number of characters before a key's secret part. */
const PREFIX = 'svc_d_'.length;

/** All parts of all keys that were created in this process. */
const parts = new Set<string>();
let leaks: string[] = [];

/** Registers a key. No output of a service may contain a part of it. */
export function guardKey(key: string): string {
  for (let at = PREFIX; at + PART <= key.length; at++) parts.add(key.slice(at, at + PART));
  return key;
}

/**
 * Searches output of a service: a log line, an error or metrics.
 * @returns the output, unchanged
 */
export function watchOutput(output: string): string {
  for (const [word] of output.matchAll(/[0-9A-Za-z]{12,}/g)) {
    for (let at = 0; at + PART <= word.length; at++) {
      if (parts.has(word.slice(at, at + PART))) leaks.push(output);
    }
  }
  return output;
}

/** Returns the texts since the last call that contained a part of a key. */
export function takeLeaks(): string[] {
  const taken = leaks;
  leaks = [];
  return taken;
}
