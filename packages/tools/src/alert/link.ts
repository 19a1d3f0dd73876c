import type { Insight } from './insights.ts';

/**
 * Maximum length of a link in characters, which all receivers and a line of a mail can contain. The service's links are
 * shorter.
 */
const LONGEST = 700;

/**
 * Returns the URL of an insight's view: in ASCII, without white space, and always on the service.
 * @param base URL of the service, without a trailing slash
 */
export function toLink(base: string, { link }: Pick<Insight, 'link'>): string {
  const overview = new URL(`${base}/app`);
  if (!link.startsWith('/') || base.length + link.length > LONGEST || !URL.canParse(base + link))
    return overview.href;
  const { origin, href } = new URL(base + link);
  return origin === overview.origin && href.length <= LONGEST ? href : overview.href;
}
