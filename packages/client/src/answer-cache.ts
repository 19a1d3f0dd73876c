import type { Fetch } from './retry.ts';

/** The default size of the cache, in characters of all bodies. */
const USUAL_SIZE = 8 * 1024 * 1024;

/**
 * Caches responses with their entity tags and revalidates them with `If-None-Match` (RFC 9110, section 13.1.2). After a
 * 304, it returns the cached body. The least recently used responses are evicted first.
 */
export function keeping(fetch: Fetch, size = USUAL_SIZE): Fetch {
  const cached = new Map<string, { tag: string; body: string }>();
  let total = 0;

  function forget(url: string): void {
    total -= cached.get(url)?.body.length ?? 0;
    cached.delete(url);
  }

  function keep(url: string, tag: string, body: string): void {
    forget(url);
    if (body.length > size) return;
    cached.set(url, { tag, body });
    total += body.length;
    for (const oldest of cached.keys()) {
      if (total <= size) return;
      forget(oldest);
    }
  }

  return async request => {
    const { url } = request;
    const existing = cached.get(url);
    if (existing) request.headers.set('if-none-match', existing.tag);
    const answer = await fetch(request);
    const isKnown = existing !== undefined && answer.status === 304;
    const tag = answer.headers.get('etag');
    if (!isKnown && (answer.status !== 200 || tag === null)) return answer;
    const body = isKnown ? existing.body : await answer.text();
    keep(url, tag ?? existing!.tag, body);
    return new Response(body, { headers: answer.headers });
  };
}
