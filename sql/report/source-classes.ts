/**
 * The origin of something that was blocked, seen from the page:
 * - `extension`: an extension of the browser
 * - `browser`: the browser itself
 * - `impossible`: the report's own policy allows what it says was blocked
 * - `inline`, `eval`: script or style in the page, and code made from text
 * - `data`, `blob`: an address that holds its content, or names what the page made
 * - `sameOrigin`: the page's scheme, host and port
 * - `sameSite`: the page's registrable domain, by the public suffix list
 * - `external`: any other host
 * - `unknown`: the report does not say
 */
export const SOURCE_CLASSES = [
  'extension',
  'browser',
  'impossible',
  'inline',
  'eval',
  'data',
  'blob',
  'sameOrigin',
  'sameSite',
  'external',
  'unknown',
] as const;
export type SourceClass = (typeof SOURCE_CLASSES)[number];
