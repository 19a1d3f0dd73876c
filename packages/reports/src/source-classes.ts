/** The origins of a blocked resource, relative to the page. */
export const SOURCE_CLASSES = [
  /** A browser extension. */
  'extension',
  /** The browser itself. */
  'browser',
  /** The report's own policy allows the resource that was reported as blocked. */
  'impossible',
  /** An inline script or style. */
  'inline',
  /** Code compiled from a string. */
  'eval',
  /** A `data:` URL. */
  'data',
  /** The URL of an object that the page created. */
  'blob',
  /** The same scheme, host and port as the page. */
  'sameOrigin',
  /** The same registrable domain as the page (Public Suffix List). */
  'sameSite',
  /** A host of another site. */
  'external',
  /** The report does not name it. */
  'unknown',
] as const;
export type SourceClass = (typeof SOURCE_CLASSES)[number];

/**
 * Classes that concern visitors' browsers rather than the site. An `impossible` report is allowed by the site's own
 * policy.
 */
export const NOISE = ['extension', 'browser', 'impossible'] as const satisfies readonly SourceClass[];

export const isNoise = (name: string): boolean => (NOISE as readonly string[]).includes(name);
