import Bowser from 'bowser';
import { LRUCache } from 'lru-cache';

export interface UserAgent {
  /** The name of the browser, or '' if it is unknown. */
  browser: string;
  platform: string;
}

/** Maximum length of an examined user agent, and maximum number of cached ones. */
const LONGEST = 1024;
const REMEMBERED = 2000;

const remembered = new LRUCache<string, UserAgent>({ max: REMEMBERED });

/** Common browser names, by the longer names that the library uses. */
const NAMES: Readonly<Record<string, string>> = {
  'Microsoft Edge': 'Edge',
  'Samsung Internet for Android': 'Samsung Internet',
};

const KNOWN: ReadonlySet<string> = new Set([
  ...Object.values(Bowser.BROWSER_MAP),
  ...Object.values(Bowser.OS_MAP),
]);

/** Parses the browser and the platform from a user agent. */
export function readUserAgent(text: string): UserAgent {
  const examined = text.slice(0, LONGEST);
  const before = remembered.get(examined);
  if (before) return before;
  const found = parse(examined);
  // Copied because a V8 substring retains the whole text, which can be a long log line.
  remembered.set(Buffer.from(examined).toString(), found);
  return found;
}

function parse(text: string): UserAgent {
  if (text.trim() === '') return { browser: '', platform: '' };
  const parser = Bowser.getParser(text);
  return { browser: getName(parser.getBrowserName()), platform: getName(parser.getOSName()) };
}

/** Returns a known browser's name, or ''. The library passes unknown names through, and senders can invent any name. */
function getName(name: string | undefined): string {
  return name !== undefined && KNOWN.has(name) ? (NAMES[name] ?? name) : '';
}
