import type { ReportType } from '@sightline/reports';
import { booleanOf, integerOf, numberOf, oneOf, textOf } from '../values.ts';
import type { Fields } from './fields.ts';

/** The object around a body (Reporting API, section 2.2). */
export interface Envelope {
  /** The report's type, as browsers call it. */
  type: string;
  url: string;
  fields: Fields;
}

export interface TypedRecord {
  type: ReportType;
  /** Fields of the record, without those that all browsers' reports have. */
  fields: Record<string, unknown>;
}

/** @param action of CSP reports that do not say it */
type Map = (envelope: Envelope, action: 'enforced' | 'reportOnly') => TypedRecord;

const text = (fields: Fields, ...names: string[]): string => {
  for (const name of names) {
    const found = textOf(fields[name]);
    if (found !== '') return found;
  }
  return '';
};

const where = (fields: Fields) => ({
  sourceFile: text(fields, 'sourcefile'),
  lineNumber: integerOf(fields.linenumber),
  columnNumber: integerOf(fields.columnnumber),
});

/** `report`, `reporting` and `report-only` are the same, and so are `enforce` and `enforced`. */
function isReported(fields: Fields): boolean | undefined {
  const disposition = text(fields, 'disposition').trim().toLowerCase();
  if (disposition.startsWith('report')) return true;
  return disposition.startsWith('enforce') ? false : undefined;
}

function dispositionOf(fields: Fields, reported: string): string {
  const isOnly = isReported(fields);
  return isOnly === undefined ? '' : isOnly ? reported : 'enforce';
}

/** CSP3 section 5.3; `report-uri` calls some fields otherwise than the Reporting API. */
const csp: Map = ({ url, fields }, action) => {
  const isOnly =
    isReported(fields) ?? (fields.reportonly === true || fields.reportonly === 'true' || undefined);
  return {
    type: 'csp',
    fields: {
      uri: text(fields, 'documenturi', 'documenturl') || url,
      directive: text(fields, 'effectivedirective') || firstWord(text(fields, 'violateddirective')),
      blockedUri: text(fields, 'blockeduri', 'blockedurl'),
      policy: text(fields, 'originalpolicy'),
      action: isOnly === undefined ? action : isOnly ? 'reportOnly' : 'enforced',
    },
  };
};

function firstWord(directive: string): string {
  return directive.trim().split(/\s/, 1)[0]!;
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
    action: booleanOf(fields.reportonly) ? 'reportOnly' : 'enforced',
  },
});

const permissionsPolicy: Map = ({ type, url, fields }) => ({
  type: 'permissions_policy',
  fields: {
    uri: url || text(fields, 'documenturl', 'documenturi'),
    property: text(fields, 'policyid', 'featureid'),
    disposition: dispositionOf(fields, 'report'),
    message: text(fields, 'message'),
    ...where(fields),
    allowAttribute: text(fields, 'allowattribute'),
    srcAttribute: text(fields, 'srcattribute'),
    potential: type.startsWith('potential-'),
  },
});

const PHASES = ['dns', 'connection', 'application'] as const;

/** Network Error Logging, section 7. */
const networkError: Map = ({ url, fields }) => ({
  type: 'nel',
  fields: {
    uri: url || text(fields, 'url'),
    nelType: text(fields, 'type'),
    phase: oneOf(PHASES, fields.phase),
    protocol: text(fields, 'protocol'),
    method: text(fields, 'method'),
    statusCode: integerOf(fields.statuscode) ?? 0,
    serverIp: text(fields, 'serverip'),
    referrer: text(fields, 'referrer'),
    elapsedTime: integerOf(fields.elapsedtime),
    samplingFraction: numberOf(fields.samplingfraction),
  },
});

const deprecation: Map = ({ url, fields }) => ({
  type: 'deprecation',
  fields: {
    uri: url,
    featureId: text(fields, 'id', 'featureid'),
    message: text(fields, 'message'),
    ...where(fields),
    anticipatedRemoval: dayOf(fields.anticipatedremoval),
  },
});

const AMERICAN = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})\s*$/;

/** `YYYY-MM-DD` of a date as browsers write it: so, as `M/D/YYYY`, or as milliseconds, of which some are no integer. */
function dayOf(value: unknown): string | null {
  const [, month, day, year] = AMERICAN.exec(textOf(value)) ?? [];
  const text = year
    ? `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`
    : textOf(value).trim().slice(0, 10);
  const milliseconds = numberOf(value);
  const date = new Date(
    milliseconds ?? Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : ''),
  );
  const known = Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
  const isReal = /^\d{4}-/.test(known) && (milliseconds !== null || known === text);
  return isReal ? known : null;
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
    isTopLevel: booleanOf(fields.istoplevel),
    visibilityState: text(fields, 'visibilitystate', 'pagevisibility'),
    stack: text(fields, 'stack'),
  },
});

const coep: Map = ({ url, fields }) => ({
  type: 'coep',
  fields: {
    uri: url,
    violation: text(fields, 'type', 'violation'),
    disposition: dispositionOf(fields, 'reporting'),
    blockedUri: text(fields, 'blockedurl', 'blockeduri'),
    destination: text(fields, 'destination'),
  },
});

const coop: Map = ({ url, fields }) => ({
  type: 'coop',
  fields: {
    uri: url,
    violation: text(fields, 'type', 'violation'),
    disposition: dispositionOf(fields, 'reporting'),
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

/** Readers by the type that browsers give a report. */
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
});
