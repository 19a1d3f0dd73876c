import type { DemoAccount } from '../accounts.ts';
import { type Browser, REPORTING_BROWSER } from '../browsers.ts';
import { Choice, heavyTail, type Random } from '../random.ts';
import type { ThirdParties } from '../third-parties.ts';

/** The ingredients of a report. */
export interface Scene {
  account: DemoAccount;
  thirdParties: ThirdParties;
  time: number;
  /** Whole days before today; 0 for today. */
  daysAgo: number;
  /** True if it is the feed's last report. */
  isLast: boolean;
  random: Random;
}

/** The fields of a report line beside account, type, id and date. */
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

export function originOf({ account, random }: Scene): string {
  return `https://${account.hosts.pick(random)}`;
}

/** Address of a page of the account. */
export function pageOf(scene: Scene): string {
  const page = originOf(scene) + PATHS.pick(scene.random);
  return scene.random.chance(0.1) ? page + scene.random.pick(QUERIES) : page;
}

/** Address of a script of the account's own. */
export function scriptOf(scene: Scene): string {
  const { account, random } = scene;
  return `https://${account.domain}/assets/${random.pick(['main', 'vendor', 'cart', 'search'])}.js`;
}

/** Where in a script it happened, which is not always known. */
export function scriptPosition(scene: Scene) {
  const { random } = scene;
  if (random.chance(0.1)) return { sourceFile: '', lineNumber: null, columnNumber: null };
  return {
    sourceFile: scriptOf(scene),
    lineNumber: random.integer(1, 900),
    columnNumber: random.integer(1, 160),
  };
}

/** Mostly one report a record; some stand for many. */
export function countOf(random: Random): number {
  return random.chance(0.85) ? 1 : Math.min(500, Math.floor(1 / (1 - random.next()))) + 1;
}

/** A report as the Reporting API delivers it. */
export function reportingApi(
  type: string,
  url: string,
  { userAgent }: Browser,
  random: Random,
  body: object,
): string {
  return JSON.stringify({ age: random.integer(0, 60_000), body, type, url, user_agent: userAgent });
}

/** A visit of a page, by a browser that has the Reporting API. */
export interface Visit {
  browser: Browser;
  uri: string;
  random: Random;
}

export function visitOf(scene: Scene): Visit {
  return { browser: REPORTING_BROWSER.pick(scene.random), uri: pageOf(scene), random: scene.random };
}

/** The fields that all reports of a visit have. */
export function reported(type: string, { browser, uri, random }: Visit, body: object) {
  return {
    uri,
    raw: reportingApi(type, uri, browser, random, body),
    count: countOf(random),
    browser: browser.browser,
    platform: browser.platform,
  };
}

function interleave(first: readonly string[], second: readonly string[]): string[] {
  return first.flatMap((item, index) => (second[index] === undefined ? [item] : [item, second[index]]));
}
