/**
 * The directives that decide a violation of a directive, nearest first (CSP Level 3, 6.8.3). The first one that the
 * policy contains decides.
 */
const FALLBACKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['connect-src', ['connect-src', 'default-src']],
  ['default-src', ['default-src']],
  ['fenced-frame-src', ['fenced-frame-src', 'frame-src', 'child-src', 'default-src']],
  ['font-src', ['font-src', 'default-src']],
  ['frame-src', ['frame-src', 'child-src', 'default-src']],
  ['child-src', ['child-src', 'default-src']],
  ['img-src', ['img-src', 'default-src']],
  ['manifest-src', ['manifest-src', 'default-src']],
  ['media-src', ['media-src', 'default-src']],
  ['object-src', ['object-src', 'default-src']],
  ['prefetch-src', ['prefetch-src', 'default-src']],
  ['script-src', ['script-src', 'default-src']],
  ['script-src-attr', ['script-src-attr', 'script-src', 'default-src']],
  ['script-src-elem', ['script-src-elem', 'script-src', 'default-src']],
  ['style-src', ['style-src', 'default-src']],
  ['style-src-attr', ['style-src-attr', 'style-src', 'default-src']],
  ['style-src-elem', ['style-src-elem', 'style-src', 'default-src']],
  ['worker-src', ['worker-src', 'child-src', 'script-src', 'default-src']],
]);

/** Directives with source lists that do not govern fetches, so they have no fallback. */
const NAVIGATIONS: ReadonlySet<string> = new Set(['base-uri', 'form-action', 'frame-ancestors']);

/** The directives that decide a violation of this one; only itself if it has no fallback. */
export function listFallbacks(directive: string): readonly string[] {
  return FALLBACKS.get(directive) ?? [directive];
}

/** Checks whether a directive's value is a source list. */
export function hasSources(directive: string): boolean {
  return FALLBACKS.has(directive) || NAVIGATIONS.has(directive);
}

/** Checks whether a violation of the directive concerns a script, including inline handlers. */
export function isScript(directive: string): boolean {
  return directive.startsWith('script-src') || directive === 'default-src';
}
