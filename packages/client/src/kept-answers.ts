import type { Fetch } from './retry.ts';

/** Characters of all bodies that are kept, when left out. */
const USUAL_SIZE = 8 * 1024 * 1024;

/**
 * Keeps answers with their entity tags and asks with `If-None-Match` (RFC 9110, section 13.1.2). An unchanged answer
 * comes as a 304 without a body, and is given from here. Those that were not asked for the longest go first.
 */
export function keeping(fetch: Fetch, size = USUAL_SIZE): Fetch {
  const kept = new Map<string, { tag: string; body: string }>();
  let total = 0;

  function forget(url: string): void {
    total -= kept.get(url)?.body.length ?? 0;
    kept.delete(url);
  }

  function keep(url: string, tag: string, body: string): void {
    forget(url);
    if (body.length > size) return;
    kept.set(url, { tag, body });
    total += body.length;
    for (const oldest of kept.keys()) {
      if (total <= size) return;
      forget(oldest);
    }
  }

  return async request => {
    const { url } = request;
    const known = kept.get(url);
    if (known) request.headers.set('if-none-match', known.tag);
    const answer = await fetch(request);
    const isKnown = known !== undefined && answer.status === 304;
    const tag = answer.headers.get('etag');
    if (!isKnown && (answer.status !== 200 || tag === null)) return answer;
    const body = isKnown ? known.body : await answer.text();
    keep(url, tag ?? known!.tag, body);
    return new Response(body, { headers: answer.headers });
  };
}
