import type { AccountFilters, ReadReport } from '@sightline/collect';
import { stripAddresses } from '@sightline/import/browser/strip';
import * as z from 'zod';

const texts = z.array(z.string());
/** The filters of `/v1/filters` that apply here: a collector knows no client's reputation, and sees no certificates. */
const answer = z.object({
  global: z.object({ sites: texts, removeReferrer: z.boolean(), removeQueryString: z.boolean() }),
  advanced: z.object({
    browserExtensions: z.boolean(),
    unactionableReports: z.boolean(),
    inlineEval: z.boolean(),
    blockedHosts: texts,
    blockedSchemes: texts,
    pagePaths: texts,
  }),
  samplingRates: z.record(z.string(), z.number()),
});

type Is = (text: string) => boolean;

/** An account's own filters, as `/v1/filters` answers them. */
export class Filters implements AccountFilters {
  readonly sampling: Readonly<Record<string, number>>;
  #global: z.infer<typeof answer>['global'];
  #advanced: z.infer<typeof answer>['advanced'];
  #isSite: Is;
  #isBlockedHost: Is;
  #isBlockedScheme: Is;
  #isPath: Is;

  /** @throws where it is no such answer */
  constructor(body: unknown) {
    const { global, advanced, samplingRates } = answer.parse(body);
    this.sampling = samplingRates;
    this.#global = global;
    this.#advanced = advanced;
    this.#isSite = global.sites.length === 0 ? () => true : matcher(global.sites);
    this.#isBlockedHost = matcher(advanced.blockedHosts);
    this.#isBlockedScheme = matcher(advanced.blockedSchemes.map(scheme => scheme.replace(/:.*$/, '')));
    this.#isPath = matcher(advanced.pagePaths);
  }

  drops({ page, blocked, source }: ReadReport): boolean {
    const { browserExtensions, unactionableReports, inlineEval } = this.#advanced;
    const [at, of] = [partsOf(page), partsOf(blocked)];
    return (
      !this.#isSite(at.host) ||
      (browserExtensions && source === 'extension') ||
      // About the browser itself, or about no page of the web.
      (unactionableReports && (source === 'browser' || at.host === '')) ||
      (inlineEval && (source === 'inline' || source === 'eval')) ||
      this.#isBlockedHost(of.host) ||
      this.#isBlockedScheme(of.scheme) ||
      this.#isPath(at.path)
    );
  }

  rewrite(report: unknown): unknown {
    const { removeQueryString, removeReferrer } = this.#global;
    const plain = removeQueryString ? stripAddresses(report) : report;
    return removeReferrer ? withoutReferrer(plain) : plain;
  }
}

function withoutReferrer(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReferrer);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => name.toLowerCase() !== 'referrer');
  return Object.fromEntries(fields.map(([name, inner]) => [name, withoutReferrer(inner)]));
}

/** The parts of an address, or of a scheme alone, as browsers give that of an extension. */
function partsOf(address: string): { scheme: string; host: string; path: string } {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url) return { scheme: address, host: '', path: '' };
  return { scheme: url.protocol.slice(0, -1), host: url.hostname.replace(/\.$/, ''), path: url.pathname };
}

/** Tells whether a text is one of these, in which `*` stands for any run of characters. */
function matcher(patterns: readonly string[]): Is {
  const all = patterns.map(pattern => pattern.toLowerCase().split(/\*+/));
  return text => text !== '' && all.some(parts => isMatch(parts, text.toLowerCase()));
}

/** In one walk through the text, however long a stranger has made it. */
function isMatch([begin = '', ...rest]: readonly string[], text: string): boolean {
  const end = rest.pop();
  if (end === undefined) return text === begin;
  if (!text.startsWith(begin)) return false;
  let at = begin.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - end.length >= at && text.endsWith(end);
}
