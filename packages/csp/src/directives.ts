/**
 * The directives that decide about a violation of a directive, the nearest first (CSP Level 3, 6.8.3). A policy is asked
 * for the first of them that it has.
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

/** Directives whose values are lists of sources, though they are about no fetch: no other directive stands in. */
const NAVIGATIONS: ReadonlySet<string> = new Set(['base-uri', 'form-action', 'frame-ancestors']);

/** The directives that a violation of this one is judged by; itself alone where nothing stands in for it. */
export function fallbacksOf(directive: string): readonly string[] {
  return FALLBACKS.get(directive) ?? [directive];
}

/** Tells whether a directive's value is a list of sources. */
export function hasSources(directive: string): boolean {
  return FALLBACKS.has(directive) || NAVIGATIONS.has(directive);
}

/** Tells whether a violation of the directive is one of a script, inline handlers included. */
export function isScript(directive: string): boolean {
  return directive.startsWith('script-src') || directive === 'default-src';
}
