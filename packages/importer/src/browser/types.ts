import type { ReportType } from '@sightline/reports';
import { isDate, listValues, parseIpAddress } from '@sightline/reports';
import { oneOf, toBoolean, toInstant, toInteger, toList, toNumber, toText } from '../values.ts';
import type { BodyFields } from './fields.ts';

/** The object around a body (Reporting API, section 2.2). */
export interface Envelope {
  /** The report's type, as named by the browser. */
  type: string;
  url: string;
  fields: BodyFields;
}

export interface TypedRecord {
  type: ReportType;
  /** The fields of the record, except those common to all browser reports. */
  fields: Record<string, unknown>;
}

/**
 * Converts a report to a record.
 * @param action the action of a CSP report that does not contain one
 */
type Map = (envelope: Envelope, action: 'enforced' | 'reportOnly') => TypedRecord;

const text = (fields: BodyFields, ...names: string[]): string => {
  for (const name of names) {
    const found = toText(fields[name]);
    if (found !== '') return found;
  }
  return '';
};

const where = (fields: BodyFields) => ({
  sourceFile: text(fields, 'sourcefile'),
  lineNumber: toInteger(fields.linenumber),
  columnNumber: toInteger(fields.columnnumber),
});

/**
 * Checks whether the policy was only reported. `report`, `reporting` and `report-only` are equivalent, and so are
 * `enforce` and `enforced`.
 */
function isReported(fields: BodyFields): boolean | undefined {
  const disposition = text(fields, 'disposition').trim().toLowerCase();
  if (disposition.startsWith('report')) return true;
  return disposition.startsWith('enforce') ? false : undefined;
}

function getDisposition(fields: BodyFields, reported: string): string {
  const isOnly = isReported(fields);
  return isOnly === undefined ? '' : isOnly ? reported : 'enforce';
}

/** Reads a CSP report (CSP3, section 5.3). `report-uri` and the Reporting API use different names for some fields. */
const csp: Map = ({ url, fields }, action) => {
  const isOnly =
    isReported(fields) ?? (fields.reportonly === true || fields.reportonly === 'true' || undefined);
  return {
    type: 'csp',
    fields: {
      uri: text(fields, 'documenturi', 'documenturl') || url,
      directive:
        directiveName(text(fields, 'effectivedirective')) || directiveName(text(fields, 'violateddirective')),
      blockedUri: text(fields, 'blockeduri', 'blockedurl'),
      policy: text(fields, 'originalpolicy'),
      action: isOnly === undefined ? action : isOnly ? 'reportOnly' : 'enforced',
    },
  };
};

/** Returns the name of a directive without its sources (CSP3, section 2.3). */
function directiveName(directive: string): string {
  return directive
    .trim()
    .split(/[\s;,]/, 1)[0]!
    .toLowerCase();
}

const cspHash: Map = ({ url, fields }) => ({
  type: 'csp_integrity',
  fields: {
    uri: text(fields, 'documenturl', 'documenturi') || url,
    subresourceUri: text(fields, 'subresourceurl', 'subresourceuri'),
    hash: text(fields, 'hash'),
    destination: text(fields, 'destination'),
    resourceType: text(fields, 'type'),
  },
});

const integrityViolation: Map = ({ url, fields }) => ({
  type: 'integrity_policy',
  fields: {
    uri: text(fields, 'documenturl', 'documenturi') || url,
    blockedUri: text(fields, 'blockedurl', 'blockeduri'),
    destination: text(fields, 'destination'),
    action: toBoolean(fields.reportonly) ? 'reportOnly' : 'enforced',
  },
});

const permissionsPolicy: Map = ({ type, url, fields }) => ({
  type: 'permissions_policy',
  fields: {
    uri: url || text(fields, 'documenturl', 'documenturi'),
    property: text(fields, 'policyid', 'featureid'),
    disposition: getDisposition(fields, 'report'),
    message: text(fields, 'message'),
    ...where(fields),
    allowAttribute: text(fields, 'allowattribute'),
    srcAttribute: text(fields, 'srcattribute'),
    potential: type.startsWith('potential-'),
  },
});

const PHASES = listValues('nel', 'phase');

/** Reads a network error report (Network Error Logging, section 7). */
const networkError: Map = ({ url, fields }) => ({
  type: 'nel',
  fields: {
    uri: url || text(fields, 'url'),
    nelType: text(fields, 'type'),
    phase: oneOf(PHASES, fields.phase),
    protocol: text(fields, 'protocol'),
    method: text(fields, 'method'),
    statusCode: toInteger(fields.statuscode) ?? 0,
    serverIp: parseIpAddress(text(fields, 'serverip')) ?? '',
    referrer: text(fields, 'referrer'),
    elapsedTime: toInteger(fields.elapsedtime),
    samplingFraction: toNumber(fields.samplingfraction),
  },
});

const deprecation: Map = ({ url, fields }) => ({
  type: 'deprecation',
  fields: {
    uri: url,
    featureId: text(fields, 'id', 'featureid'),
    message: text(fields, 'message'),
    ...where(fields),
    anticipatedRemoval: toDay(fields.anticipatedremoval),
  },
});

const AMERICAN = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})\s*$/;

/**
 * Converts a date as browsers write it (`YYYY-MM-DD`, `M/D/YYYY` or milliseconds, not always integers) to `YYYY-MM-DD`.
 */
function toDay(value: unknown): string | null {
  const [, month, day, year] = AMERICAN.exec(toText(value)) ?? [];
  const text = year
    ? `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`
    : toText(value).trim().slice(0, 10);
  const milliseconds = toNumber(value);
  const date = milliseconds === null ? text : toInstant(milliseconds)?.slice(0, 10);
  return date && isDate(date) ? date : null;
}

const intervention: Map = ({ url, fields }) => ({
  type: 'intervention',
  fields: {
    uri: url,
    featureId: text(fields, 'id', 'featureid'),
    message: text(fields, 'message'),
    ...where(fields),
  },
});

const crash: Map = ({ url, fields }) => ({
  type: 'crash',
  fields: {
    uri: url,
    reason: text(fields, 'reason'),
    isTopLevel: toBoolean(fields.istoplevel),
    visibilityState: text(fields, 'visibilitystate', 'pagevisibility'),
    stack: text(fields, 'stack'),
  },
});

const coep: Map = ({ url, fields }) => ({
  type: 'coep',
  fields: {
    uri: url,
    violation: text(fields, 'type', 'violation'),
    disposition: getDisposition(fields, 'reporting'),
    blockedUri: text(fields, 'blockedurl', 'blockeduri'),
    destination: text(fields, 'destination'),
  },
});

const coop: Map = ({ url, fields }) => ({
  type: 'coop',
  fields: {
    uri: url,
    violation: text(fields, 'type', 'violation'),
    disposition: getDisposition(fields, 'reporting'),
    effectivePolicy: text(fields, 'effectivepolicy'),
    previousResponseUri: text(fields, 'previousresponseurl', 'previousresponseuri'),
    nextResponseUri: text(fields, 'nextresponseurl', 'nextresponseuri'),
    openerUri: text(fields, 'openerurl', 'openeruri'),
    openeeUri: text(fields, 'openeeurl', 'openeeuri'),
    otherDocumentUri: text(fields, 'otherdocumenturl', 'otherdocumenturi'),
    initialPopupUri: text(fields, 'initialpopupurl', 'initialpopupuri'),
    referrer: text(fields, 'referrer'),
    accessedProperty: text(fields, 'property', 'accessedproperty'),
    ...where(fields),
  },
});

/**
 * Maximum number of stored allowlist patterns. A real header contains a few, but a forged report can contain any
 * number.
 */
const MOST_PATTERNS = 200;

/** Reads a report of a connection allowlist (WICG Connection Allowlists, section "Reporting"). */
const connectionAllowlist: Map = ({ url, fields }) => ({
  type: 'connection_allowlist',
  fields: {
    uri: url || text(fields, 'url'),
    connection: text(fields, 'connection'),
    disposition: getDisposition(fields, 'report'),
    allowlist: toList(fields.allowlist)
      .slice(0, MOST_PATTERNS)
      .map(toText)
      .filter(pattern => pattern !== ''),
  },
});

/** Report readers, by the browser's name of the report type. */
export const BROWSER_TYPES: Readonly<Partial<Record<string, Map>>> = Object.assign(Object.create(null), {
  'csp-report': csp,
  'csp-violation': csp,
  'csp-hash': cspHash,
  'integrity-violation': integrityViolation,
  'permissions-policy-violation': permissionsPolicy,
  'potential-permissions-policy-violation': permissionsPolicy,
  'network-error': networkError,
  deprecation,
  intervention,
  crash,
  coep,
  coop,
  'connection-allowlist': connectionAllowlist,
});
