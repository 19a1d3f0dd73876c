import type { AccountFilters, ReadReport } from '@sightline/collector';
import { parseUrl } from '@sightline/csp';
import { stripAddresses } from '@sightline/importer';
import * as z from 'zod';

const texts = z.array(z.string());
/** The filters of `/v1/filters` that apply here; a collector has no threat intelligence or certificates. */
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

/** An account's filters, as returned by `/v1/filters`. */
export class Filters implements AccountFilters {
  readonly sampling: Readonly<Record<string, number>>;
  #global: z.infer<typeof answer>['global'];
  #advanced: z.infer<typeof answer>['advanced'];
  #isSite: Is;
  #isBlockedHost: Is;
  #isBlockedScheme: Is;
  #isPath: Is;

  /** @throws if the response is invalid */
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
    const [at, of] = [splitParts(page), splitParts(blocked)];
    return (
      !this.#isSite(at.host) ||
      (browserExtensions && source === 'extension') ||
      // The report is about the browser itself, or about no web page.
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

/** Splits an address, or a bare scheme that browsers report for an extension. */
function splitParts(address: string): { scheme: string; host: string; path: string } {
  const url = parseUrl(address);
  if (!url) return { scheme: address, host: '', path: '' };
  return { scheme: url.protocol.slice(0, -1), host: url.hostname.replace(/\.$/, ''), path: url.pathname };
}

/** Matches a text against patterns in which `*` matches any characters. */
function matcher(patterns: readonly string[]): Is {
  const all = patterns.map(pattern => pattern.toLowerCase().split(/\*+/));
  return text => text !== '' && all.some(parts => isMatch(parts, text.toLowerCase()));
}

/** Runs in linear time, because the text is untrusted. */
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
