import { count, longDay, share } from '../format.ts';
import { getName } from '../views/field-names.ts';
import { inWords } from '../words.ts';
import { Long } from './long.tsx';
import { Moment } from './moment.tsx';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * A value of a report. It is rendered only as text, because it can come from an attacker. A long value is truncated,
 * and its tooltip shows all of it.
 */
export function Value({
  name,
  value,
  isShort = false,
}: {
  name?: string;
  value: unknown;
  isShort?: boolean;
}) {
  if (value === null || value === undefined || value === '') return <span class="quiet">–</span>;
  if (value === true && ALARMING.has(name ?? '')) return <strong class="warn">yes</strong>;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (typeof value === 'number') return <>{amount(name, value)}</>;
  if (Array.isArray(value)) return <Entries values={value} />;
  if (typeof value === 'object') return <Fields record={value as Record<string, unknown>} />;
  const text = inWords(name ?? '', String(value));
  if (INSTANT.test(text) && text.length < 30 && !Number.isNaN(Date.parse(text)))
    return <Moment at={text} as="exactly" />;
  if (DAY.test(text)) return <>{Number.isNaN(Date.parse(text)) ? text : longDay(text)}</>;
  return isShort ? (
    <bdi class="clip" title={text.slice(0, LONGEST_TOOLTIP)}>
      {text.slice(0, LONGEST_TOOLTIP)}
    </bdi>
  ) : (
    <Long text={text} />
  );
}

const LONGEST_TOOLTIP = 500;

function Entries({ values }: { values: readonly unknown[] }) {
  if (values.length === 0) return <span class="quiet">none</span>;
  return (
    <ul class="entries">
      {values.map((value, at) => (
        <li key={at}>
          <Value value={value} />
        </li>
      ))}
    </ul>
  );
}

export function Fields({ record }: { record: Readonly<Record<string, unknown>> }) {
  return (
    <dl class="fields">
      {Object.entries(record).map(([name, value]) => (
        <div key={name}>
          <dt>{getName(name)}</dt>
          <dd>
            <Value name={name} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Numeric fields that are identifiers, and so have no thousands separators. */
const NAMING = new Set(['asn', 'lineNumber', 'columnNumber', 'statusCode']);

/** Fields that indicate a threat if true. */
const ALARMING = new Set([
  'generatedDomain',
  'indicatorOfCompromise',
  'recentlyRegisteredDomain',
  'lowReputationDomain',
  'suspicious',
]);

function amount(name = '', value: number): string {
  if (NAMING.has(name)) return String(value);
  if (name === 'samplingFraction') return share(value, 1);
  return name === 'elapsedTime' ? `${count(value)} ms` : count(value);
}
