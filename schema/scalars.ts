import type { ValueKind } from '@sightline/pg-client';
import { formatInstant, LONGEST_HOST } from '@sightline/reports';
import { builder } from './builder.ts';

/** The schema of a scalar in the OpenAPI document. */
export interface ScalarSchema {
  type: string | string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  minLength?: number;
  enum?: readonly unknown[];
  additionalProperties?: unknown;
}

const LONGEST_TEXT = 2048;
/** The maximum length of a TXT record, in characters, that DNS can return over UDP. */
const LONGEST_RECORD = 4096;
/** A common limit of servers for all headers together, and therefore for a policy. */
const LONGEST_POLICY = 16 * 1024;
const LARGEST_INTEGER = Number.MAX_SAFE_INTEGER;

interface Output {
  serialize?: (value: never) => unknown;
  /** Rows with a column of this kind are written without decoding it. */
  kind?: ValueKind;
}

function outputScalar(name: string, description: string, openapi: ScalarSchema, { serialize, kind }: Output) {
  builder.scalarType(name as 'Date', {
    description,
    extensions: { openapi, kind },
    serialize: (serialize ?? ((value: unknown) => value)) as never,
  });
}

/**
 * Defines a scalar. `parse` receives a parameter's text or a GraphQL value, and returns undefined if it is invalid.
 * @param taken describes valid values, for error messages
 */
function inputScalar<Value>(
  name: string,
  description: string,
  openapi: ScalarSchema,
  parse: (value: unknown) => Value | undefined,
  taken = description,
) {
  builder.scalarType(name as 'Date', {
    description,
    extensions: { openapi },
    serialize: value => value as never,
    parseValue: value => {
      const parsed = parse(value);
      if (parsed === undefined) throw new TypeError(`not a value of ${name}. ${taken}`);
      return parsed as never;
    },
  });
}

/** Defines a text scalar: not empty, without NUL, and of limited length. */
function textScalar(name: string, description: string, longest = LONGEST_TEXT) {
  inputScalar(
    name,
    description,
    { type: 'string', minLength: 1, maxLength: longest },
    value => {
      const isText = typeof value === 'string' && value !== '' && !value.includes('\0');
      return isText && hasAtMost(longest, value) ? value : undefined;
    },
    `${description} It has 1 to ${longest} characters, and no NUL.`,
  );
}

/** Counts code points. `length` counts some of them twice. */
function hasAtMost(longest: number, text: string): boolean {
  if (text.length <= longest || text.length > 2 * longest) return text.length <= longest;
  return [...text].length <= longest;
}

outputScalar(
  'DateTime',
  'An instant as `YYYY-MM-DDTHH:mm:ss+00:00`: ISO 8601, UTC, always with a numeric offset.',
  { type: 'string', format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\+00:00$' },
  { serialize: formatInstant, kind: 'instant' },
);

outputScalar(
  'Date',
  'A calendar day in UTC, `YYYY-MM-DD`.',
  { type: 'string', format: 'date' },
  { kind: 'day' },
);

outputScalar(
  'Counter',
  'An integer from 0 to 2^53-1.',
  { type: 'integer', minimum: 0, maximum: LARGEST_INTEGER },
  { kind: 'integer' },
);

outputScalar('Flag', '0 or 1.', { type: 'integer', enum: [0, 1] }, { kind: 'integer' });

outputScalar(
  'Counts',
  'An object that maps names to counts.',
  { type: 'object', additionalProperties: { type: 'integer', minimum: 0, maximum: LARGEST_INTEGER } },
  {},
);

inputScalar(
  'Cursor',
  'An opaque position in a list, copied from the previous response. It is valid only for the ' +
    'account for which it was created.',
  { type: 'string', minLength: 1, maxLength: LONGEST_TEXT },
  value => (typeof value === 'string' ? value : undefined),
);

const LARGEST_PAGE = 1000;
inputScalar(
  'PageLimit',
  'Entries per page, 1 to 1000. Larger and invalid values count as 1000.',
  { type: 'integer' },
  value => {
    const number = typeof value === 'number' ? value : /^\d+$/.test(String(value)) ? Number(value) : 0;
    return Number.isInteger(number) && number >= 1 ? Math.min(number, LARGEST_PAGE) : LARGEST_PAGE;
  },
);

inputScalar(
  'Instant',
  'An instant in ISO 8601 with an offset or `Z`, or a day `YYYY-MM-DD`, which means its start in UTC.',
  { type: 'string', format: 'date-time' },
  parseInstant,
);

const PERIOD_DATE = /^\d{4}-\d{2}(-\d{2}(T\d{2})?)?$/;
inputScalar(
  'PeriodDate',
  'The period: `YYYY-MM-DDTHH` for hours, `YYYY-MM-DD` for days, `YYYY-MM` for months; in UTC.',
  { type: 'string', pattern: PERIOD_DATE.source },
  value => (PERIOD_DATE.test(String(value)) ? String(value) : undefined),
);

textScalar('FilterText', 'A text to compare with, ignoring case.');

textScalar(
  'PolicyText',
  'The text of a Content Security Policy; case and repeated white space are ignored.',
  LONGEST_POLICY,
);

textScalar('DmarcText', 'The text of a DMARC record.', LONGEST_RECORD);

textScalar('HostPattern', 'A host name; `*` matches any characters.', LONGEST_HOST);

textScalar('PathPattern', 'A path or a hash; in paths, `*` matches any characters.');

inputScalar(
  'ReputationScore',
  'An integer from 0 to 100.',
  { type: 'integer', minimum: 0, maximum: 100 },
  value => (/^(\d|[1-9]\d|100)$/.test(String(value)) ? Number(value) : undefined),
);

inputScalar(
  'Sha256',
  'A SHA-256 hash in hexadecimal.',
  { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
  value => (/^[0-9a-f]{64}$/i.test(String(value)) ? String(value).toLowerCase() : undefined),
);

textScalar('HostName', 'A host name, in any case and with or without a trailing dot.');

textScalar('PathText', "A part of the path, such as a policy's id.");

inputScalar(
  'GraphAmount',
  'The number of weeks or months.',
  { type: 'integer', enum: [1, 2, 3, 4, 6, 12] },
  value => (/^([12346]|12)$/.test(String(value)) ? Number(value) : undefined),
);

/**
 * A date with an optional time and offset. A space before the offset is a `+` that the client did not encode in the
 * query string.
 */
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:Z|([+ -]\d{2}):?(\d{2})))?$/i;

/** Normalizes an instant to a form that PostgreSQL and JavaScript both parse: UTC, with milliseconds. */
function parseInstant(value: unknown): string | undefined {
  const [, day, time, hours, minutes] = (typeof value === 'string' && INSTANT.exec(value)) || [];
  if (day === undefined) return undefined;
  const offset = hours === undefined ? 'Z' : `${hours.replace(' ', '+')}:${minutes}`;
  const instant = Date.parse(time === undefined ? day : `${day}T${time}${offset}`);
  // JavaScript converts dates that do not exist, such as 30 February, to others.
  const isReal = new Date(Date.parse(day)).toJSON()?.startsWith(day);
  return isReal && !Number.isNaN(instant) ? new Date(instant).toISOString() : undefined;
}
