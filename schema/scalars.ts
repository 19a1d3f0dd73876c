import type { ValueKind } from '@sightline/postgres';
import { formatInstant } from '@sightline/reports/instants';
import { builder } from './builder.ts';

/** The schema of a scalar's values in the OpenAPI document. */
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
const LONGEST_HOST = 253;
/** The usual bound of servers for all headers together, and so for a policy. */
const LONGEST_POLICY = 16 * 1024;
const LARGEST_INTEGER = Number.MAX_SAFE_INTEGER;

interface Output {
  serialize?: (value: never) => unknown;
  /** Rows with a column of this kind are written without a value being made of it. */
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
 * `parse` answers with undefined for what is not a value; it gets a parameter's text or a GraphQL value.
 * @param taken what the scalar takes, as it is told to who sent something else
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

/** Text that a parameter may hold: not empty, without NUL, not over-long. */
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

/** Characters are code points: JavaScript's own length counts some of them twice. */
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
  'An object from names to counts.',
  { type: 'object', additionalProperties: { type: 'integer', minimum: 0, maximum: LARGEST_INTEGER } },
  {},
);

inputScalar(
  'Cursor',
  'An opaque place in a list, copied from the answer before. Good for the account it was made for.',
  { type: 'string', minLength: 1, maxLength: LONGEST_TEXT },
  value => (typeof value === 'string' ? value : undefined),
);

const LARGEST_PAGE = 1000;
inputScalar(
  'PageLimit',
  'How many entries a page has: 1 to 1000. Larger values become 1000, and so does what is no such number.',
  { type: 'integer' },
  value => {
    const number = typeof value === 'number' ? value : /^\d+$/.test(String(value)) ? Number(value) : 0;
    return Number.isInteger(number) && number >= 1 ? Math.min(number, LARGEST_PAGE) : LARGEST_PAGE;
  },
);

inputScalar(
  'Instant',
  'An instant in ISO 8601 with an offset or `Z`, or a day `YYYY-MM-DD`, which stands for its beginning in UTC.',
  { type: 'string', format: 'date-time' },
  parseInstant,
);

inputScalar(
  'PeriodDate',
  'The period: `YYYY-MM-DDTHH` for hours, `YYYY-MM-DD` for days, `YYYY-MM` for months; in UTC.',
  { type: 'string', pattern: '^\\d{4}-\\d{2}(-\\d{2}(T\\d{2})?)?$' },
  value => (/^\d{4}-\d{2}(-\d{2}(T\d{2})?)?$/.test(String(value)) ? String(value) : undefined),
);

textScalar('FilterText', 'A text to compare with, ignoring case.');

textScalar(
  'PolicyText',
  'The text of a Content Security Policy, ignoring case and runs of white space.',
  LONGEST_POLICY,
);

textScalar('HostPattern', 'A host name; `*` stands for any run of characters.', LONGEST_HOST);

textScalar('PathPattern', 'A path or a hash; in paths `*` stands for any run of characters.');

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
  'How many weeks or months.',
  { type: 'integer', enum: [1, 2, 3, 4, 6, 12] },
  value => (/^([12346]|12)$/.test(String(value)) ? Number(value) : undefined),
);

/** In the form that PostgreSQL and JavaScript read alike: UTC, with milliseconds. */
function parseInstant(value: unknown): string | undefined {
  const form = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;
  const match = typeof value === 'string' ? form.exec(value) : null;
  const time = match ? Date.parse(value as string) : Number.NaN;
  // Dates that are none, such as 30 February, become others.
  const isReal = match && new Date(Date.parse(match[1]!)).toJSON()?.startsWith(match[1]!);
  return isReal && !Number.isNaN(time) ? new Date(time).toISOString() : undefined;
}
