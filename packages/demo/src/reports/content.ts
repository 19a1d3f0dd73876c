import { BROWSER, type Browser } from '../browsers.ts';
import type { DemoPolicy } from '../policies.ts';
import { Choice } from '../random.ts';
import { storiedResource } from '../stories.ts';
import {
  count,
  createVisit,
  pickScript,
  type ReportFields,
  reportingApi,
  type Scene,
  toBrowserReport,
  toPage,
} from './scene.ts';

interface Keyword {
  weight: number;
  blockedUri: string;
  directive: string;
}

/** Blocked resources without a host, including extensions. The last one has no directive. */
const KEYWORDS: readonly Keyword[] = [
  { weight: 40, blockedUri: 'inline', directive: 'script-src-elem' },
  { weight: 15, blockedUri: 'inline', directive: 'script-src-attr' },
  { weight: 15, blockedUri: 'inline', directive: 'style-src-attr' },
  { weight: 15, blockedUri: 'eval', directive: 'script-src' },
  { weight: 8, blockedUri: 'data', directive: 'font-src' },
  { weight: 5, blockedUri: 'blob', directive: 'worker-src' },
  { weight: 24, blockedUri: 'chrome-extension', directive: 'script-src-elem' },
  { weight: 8, blockedUri: 'moz-extension', directive: 'style-src-elem' },
  { weight: 6, blockedUri: 'safari-web-extension', directive: 'script-src-elem' },
  { weight: 4, blockedUri: 'about', directive: 'frame-src' },
  { weight: 2, blockedUri: '', directive: '' },
];
const KEYWORD = new Choice(KEYWORDS, ({ weight }) => weight);

function csp(scene: Scene): ReportFields {
  const { account, random, thirdParties } = scene;
  const policy = account.policies.pick(random);
  const browser = scene.planned?.browser ?? BROWSER.pick(random);
  const uri = toPage(scene);
  const resource =
    scene.planned?.resource ??
    storiedResource(scene) ??
    (random.chance(0.7) ? thirdParties.all.pick(random) : undefined);
  const { directive, uri: blockedUri } = resource ?? keywordAsResource(KEYWORD.pick(random));
  return {
    action: policy.action,
    uri,
    directive,
    blockedUri,
    raw: rawCsp(scene, browser, uri, directive, blockedUri, policy),
    count: count(random),
    browser: browser.browser,
    platform: browser.platform,
    ...resource?.threat,
    generatedDomain: resource?.generatedDomain ?? 0,
    policyIocHosts: policy.iocHosts,
    policyConcernHosts: policy.concernHosts,
    policyId: policy.id,
    policy: policy.text,
  };
}

/**
 * Extensions inject code into pages, which shows only in the source file. One in this many reports of inline code comes
 * from an extension.
 */
const EVERY = 12;
const EXTENSIONS = [
  'chrome-extension',
  'moz-extension://5f3c1a/content.js',
  'safari-web-extension://9d2e/page.js',
];
const SAMPLES = [
  'window.dataLayer = window.dataLayer || []',
  'document.write(unescape("%3Cscript',
  'toggleMenu(this)',
];

const injectedBy = (number: number) => EXTENSIONS[number % EXTENSIONS.length]!;

function keywordAsResource({ directive, blockedUri }: Keyword) {
  return { directive, uri: blockedUri };
}

function rawCsp(
  scene: Scene,
  browser: Browser,
  uri: string,
  directive: string,
  blockedUri: string,
  policy: DemoPolicy,
): string {
  const { random } = scene;
  const disposition = policy.action === 'enforced' ? 'enforce' : 'report';
  const ownScript = pickScript(scene);
  const lineNumber = random.integer(1, 400);
  const columnNumber = random.integer(1, 120);
  const sourceFile =
    blockedUri === 'inline' ? (lineNumber % EVERY === 0 ? injectedBy(columnNumber) : uri) : ownScript;
  const hasSample = blockedUri === 'inline' && policy.text.includes("'report-sample'");
  const sample = hasSample ? SAMPLES[columnNumber % SAMPLES.length]! : '';
  if (browser.reportingApi) {
    return reportingApi('csp-violation', uri, browser, random, {
      blockedURL: blockedUri,
      columnNumber,
      disposition,
      documentURL: uri,
      effectiveDirective: directive,
      lineNumber,
      originalPolicy: policy.text,
      referrer: '',
      sample,
      sourceFile,
      statusCode: 200,
    });
  }
  return JSON.stringify({
    'csp-report': {
      'blocked-uri': blockedUri,
      'column-number': columnNumber,
      disposition,
      'document-uri': uri,
      'effective-directive': directive,
      'line-number': lineNumber,
      'original-policy': policy.text,
      referrer: '',
      ...(sample !== '' && { 'script-sample': sample }),
      'source-file': sourceFile,
      'status-code': 200,
      'violated-directive': directive,
    },
  });
}

function cspIntegrity(scene: Scene): ReportFields {
  const { random, thirdParties } = scene;
  const visit = createVisit(scene);
  const resource = scene.planned?.resource ?? thirdParties.checkable.pick(random);
  const { uri: subresourceUri, hash, destination, threat } = resource;
  const resourceType = 'subresource';
  return {
    ...toBrowserReport('csp-hash', visit, {
      documentURL: visit.uri,
      subresourceURL: subresourceUri,
      hash,
      destination,
      type: resourceType,
    }),
    subresourceUri,
    hash,
    destination,
    resourceType,
    ...threat,
  };
}

function integrityPolicy(scene: Scene): ReportFields {
  const { random, thirdParties } = scene;
  const visit = createVisit(scene);
  const { uri: blockedUri, destination, threat } = thirdParties.checkable.pick(random);
  const reportOnly = random.chance(0.4);
  return {
    ...toBrowserReport('integrity-violation', visit, {
      documentURL: visit.uri,
      blockedURL: blockedUri,
      destination,
      reportOnly,
    }),
    action: reportOnly ? 'reportOnly' : 'enforced',
    blockedUri,
    destination,
    ...threat,
  };
}

/** The generators of these reports, by type. */
export const CONTENT = { csp, csp_integrity: cspIntegrity, integrity_policy: integrityPolicy };
