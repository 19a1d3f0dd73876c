/** The origin of something that was blocked, seen from the page. */
export const SOURCE_CLASSES = [
  /** An extension of the browser. */
  'extension',
  /** The browser itself. */
  'browser',
  /** The report's own policy allows what it says was blocked. */
  'impossible',
  /** Script or style in the page. */
  'inline',
  /** Code made from text. */
  'eval',
  /** An address that holds its content. */
  'data',
  /** An address that names what the page made. */
  'blob',
  /** The page's scheme, host and port. */
  'sameOrigin',
  /** The page's registrable domain, by the public suffix list. */
  'sameSite',
  /** Any other host. */
  'external',
  /** The report does not say. */
  'unknown',
] as const;
export type SourceClass = (typeof SOURCE_CLASSES)[number];

/** Classes that tell of visitors' browsers, not of the site: its policy allows what is `impossible`. */
export const NOISE = ['extension', 'browser', 'impossible'] as const satisfies readonly SourceClass[];

export const isNoise = (name: string): boolean => (NOISE as readonly string[]).includes(name);
