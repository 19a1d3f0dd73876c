import { Choice } from './random.ts';

export interface Browser {
  /** The relative share of users. */
  weight: number;
  browser: string;
  platform: string;
  userAgent: string;
  /** True if the browser supports the Reporting API. Others send only CSP reports through `report-uri`. */
  reportingApi: boolean;
}

const WINDOWS = 'Windows NT 10.0; Win64; x64';
const MACOS = 'Macintosh; Intel Mac OS X 10_15_7';
const LINUX = 'X11; Linux x86_64';
const CHROMEOS = 'X11; CrOS x86_64 14541.0.0';
const ANDROID = 'Linux; Android 10; K';
const IPHONE = 'iPhone; CPU iPhone OS 18_5 like Mac OS X';

const chromium = (system: string, version: number, suffix = '') =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 ` +
  `${system === ANDROID ? 'Mobile ' : ''}Safari/537.36${suffix}`;
const firefox = (system: string, version: number) =>
  `Mozilla/5.0 (${system}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
const safari = (system: string, version: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Safari/605.1.15`;

const BROWSERS: [weight: number, browser: string, platform: string, userAgent: string][] = [
  [27, 'Chrome', 'Windows', chromium(WINDOWS, 142)],
  [4, 'Chrome', 'Windows', chromium(WINDOWS, 139)],
  [20, 'Chrome', 'Android', chromium(ANDROID, 142)],
  [8, 'Chrome', 'macOS', chromium(MACOS, 142)],
  [2, 'Chrome', 'Linux', chromium(LINUX, 141)],
  [1, 'Chrome', 'Chrome OS', chromium(CHROMEOS, 140)],
  [7, 'Edge', 'Windows', chromium(WINDOWS, 142, ' Edg/142.0.0.0')],
  [2, 'Opera', 'Windows', chromium(WINDOWS, 141, ' OPR/125.0.0.0')],
  [
    2,
    'Samsung Internet',
    'Android',
    chromium(ANDROID, 136, '').replace('Chrome/', 'SamsungBrowser/29.0 Chrome/'),
  ],
  [11, 'Safari', 'iOS', safari(IPHONE, '18.5 Mobile/15E148')],
  [6, 'Safari', 'macOS', safari(MACOS, '18.5')],
  [4, 'Firefox', 'Windows', firefox(WINDOWS, 144)],
  [2, 'Firefox', 'Linux', firefox(LINUX, 140)],
  [1, 'Firefox', 'macOS', firefox('Macintosh; Intel Mac OS X 10.15', 144)],
];

const all: Browser[] = BROWSERS.map(([weight, browser, platform, userAgent]) => ({
  weight,
  browser,
  platform,
  userAgent,
  reportingApi: browser !== 'Firefox' && browser !== 'Safari',
}));

export const BROWSER = new Choice(all, ({ weight }) => weight);
export const REPORTING_BROWSER = new Choice(all, ({ weight, reportingApi }) => (reportingApi ? weight : 0));
