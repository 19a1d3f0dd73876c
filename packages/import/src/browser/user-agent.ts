import Bowser from 'bowser';
import { LRUCache } from 'lru-cache';

export interface UserAgent {
  /** '' where it is not known. */
  browser: string;
  platform: string;
}

/** Bytes of a user agent that are looked at, and user agents that are remembered. */
const LONGEST = 1024;
const REMEMBERED = 2000;

const remembered = new LRUCache<string, UserAgent>({ max: REMEMBERED });

/** Names that browsers are known by, where the library has longer ones. */
const NAMES: Readonly<Record<string, string>> = {
  'Microsoft Edge': 'Edge',
  'Samsung Internet for Android': 'Samsung Internet',
};

const KNOWN: ReadonlySet<string> = new Set([
  ...Object.values(Bowser.BROWSER_MAP),
  ...Object.values(Bowser.OS_MAP),
]);

/** The browser and the platform that a user agent names. */
export function readUserAgent(text: string): UserAgent {
  const looked = text.slice(0, LONGEST);
  const before = remembered.get(looked);
  if (before) return before;
  const found = parse(looked);
  // V8 would keep the whole text, a line of a log maybe, of which this is a part.
  remembered.set(Buffer.from(looked).toString(), found);
  return found;
}

function parse(text: string): UserAgent {
  if (text.trim() === '') return { browser: '', platform: '' };
  const parser = Bowser.getParser(text);
  return { browser: nameOf(parser.getBrowserName()), platform: nameOf(parser.getOSName()) };
}

/** The library takes other names as they come, which anybody could make up. */
function nameOf(name: string | undefined): string {
  return name !== undefined && KNOWN.has(name) ? (NAMES[name] ?? name) : '';
}
