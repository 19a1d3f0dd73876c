/** Number of characters of a key that cannot occur by accident. */
const PART = 12;

/** Characters of a key before its secret ones. */
const PREFIX = 'svc_d_'.length;

/** Every part of every key that the tests of this process created. */
const parts = new Set<string>();
let leaks: string[] = [];

/** Registers a key: no output of a service may contain any part of it. */
export function guardKey(key: string): string {
  for (let at = PREFIX; at + PART <= key.length; at++) parts.add(key.slice(at, at + PART));
  return key;
}

/** Searches a service's output: a log line, an error, its metrics. @returns the same */
export function watchOutput(output: string): string {
  for (const [word] of output.matchAll(/[0-9A-Za-z]{12,}/g)) {
    for (let at = 0; at + PART <= word.length; at++) {
      if (parts.has(word.slice(at, at + PART))) leaks.push(output);
    }
  }
  return output;
}

/** The texts that contained a part of a key since the last call. */
export function takeLeaks(): string[] {
  const taken = leaks;
  leaks = [];
  return taken;
}
