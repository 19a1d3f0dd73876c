import type { DemoAccount } from '../accounts.ts';
import { type Browser, REPORTING_BROWSER } from '../browsers.ts';
import type { DemoNetwork } from '../networks.ts';
import { Choice, heavyTail, type Random } from '../random.ts';
import type { Resource, ThirdParties } from '../third-parties.ts';

/** The values of a report that are not random. */
export interface PlannedValues {
  /** The URL of the page. */
  page?: string;
  browser?: Browser;
  resource?: Omit<Resource, 'host'>;
  outcome?: { nelType: string; phase: 'dns' | 'connection' | 'application'; statusCode: number };
  /** The network of the visitors who report an outcome. */
  organisation?: string;
  feature?: { featureId: string; message: string; anticipatedRemoval: string | null };
  mail?: { network: DemoNetwork; dkim: 'pass' | 'permerror'; count: number };
}

/** The input for generating a report. */
export interface Scene {
  account: DemoAccount;
  thirdParties: ThirdParties;
  time: number;
  /** Full days before today; 0 for today. */
  daysAgo: number;
  /** True if it is the feed's last report. */
  isLast: boolean;
  random: Random;
  planned?: PlannedValues;
}

/** The fields of a report line, except account, type, id and date. */
export type ReportFields = { raw: string } & Record<string, unknown>;

const PRODUCTS = Array.from({ length: 120 }, (_, index) => `/products/${4100 + ((index * 37) % 997)}`);
const ARTICLES = Array.from({ length: 40 }, (_, index) => `/blog/${2019 + (index % 7)}/entry-${index + 1}`);
const PATHS = new Choice(
  [
    ...['/', '/products', '/checkout', '/checkout/payment', '/account/login', '/search', '/cart', '/blog'],
    ...['/account/orders', '/about', '/contact', '/account/settings', '/legal/privacy', '/Help/FAQ'],
    ...interleave(PRODUCTS, ARTICLES),
  ],
  heavyTail(0.9),
);
const QUERIES = ['?utm_source=newsletter', '?q=blue+shoes', '?page=2', '?ref=home&lang=en'];

export function getOrigin({ account, random }: Scene): string {
  return `https://${account.hosts.pick(random)}`;
}

/** The URL of one of the account's pages. */
export function toPage(scene: Scene): string {
  if (scene.planned?.page !== undefined) return scene.planned.page;
  const page = getOrigin(scene) + PATHS.pick(scene.random);
  return scene.random.chance(0.1) ? page + scene.random.pick(QUERIES) : page;
}

/** The URL of one of the account's own scripts. */
export function pickScript(scene: Scene): string {
  const { account, random } = scene;
  return `https://${account.domain}/assets/${random.pick(['main', 'vendor', 'cart', 'search'])}.js`;
}

/** The position in a script, which some reports lack. */
export function scriptPosition(scene: Scene) {
  const { random } = scene;
  if (random.chance(0.1)) return { sourceFile: '', lineNumber: null, columnNumber: null };
  return {
    sourceFile: pickScript(scene),
    lineNumber: random.integer(1, 900),
    columnNumber: random.integer(1, 160),
  };
}

/** Most records stand for one report, some for many. */
export function count(random: Random): number {
  return random.chance(0.85) ? 1 : Math.min(500, Math.floor(1 / (1 - random.next()))) + 1;
}

/** Formats a report as the Reporting API sends it. */
export function reportingApi(
  type: string,
  url: string,
  { userAgent }: Browser,
  random: Random,
  body: object,
): string {
  return JSON.stringify({ age: random.integer(0, 60_000), body, type, url, user_agent: userAgent });
}

/** A visit to a page with a browser that supports the Reporting API. */
export interface Visit {
  browser: Browser;
  uri: string;
  random: Random;
}

export function createVisit(scene: Scene): Visit {
  return { browser: REPORTING_BROWSER.pick(scene.random), uri: toPage(scene), random: scene.random };
}

/** The fields that all reports of a visit share. */
export function toBrowserReport(type: string, { browser, uri, random }: Visit, body: object) {
  return {
    uri,
    raw: reportingApi(type, uri, browser, random, body),
    count: count(random),
    browser: browser.browser,
    platform: browser.platform,
  };
}

function interleave(first: readonly string[], second: readonly string[]): string[] {
  return first.flatMap((item, index) => (second[index] === undefined ? [item] : [item, second[index]]));
}
