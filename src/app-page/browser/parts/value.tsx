import { count } from '../format.ts';
import { nameOf } from '../views/field-names.ts';
import { Moment } from './moment.tsx';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** Of what a report holds only text is made: it may be an attacker's. A short one is cut, and whole in its tooltip. */
export function Value({ value, isShort = false }: { value: unknown; isShort?: boolean }) {
  if (value === null || value === undefined || value === '') return <span class="quiet">–</span>;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (typeof value === 'number') return <>{count(value)}</>;
  if (Array.isArray(value)) return <Entries values={value} />;
  if (typeof value === 'object') return <Fields record={value as Record<string, unknown>} />;
  const text = String(value);
  if (INSTANT.test(text) && text.length < 30) return <Moment at={text} />;
  return isShort ? (
    <bdi class="clip" title={text.slice(0, LONGEST_TOOLTIP)}>
      {text.slice(0, LONGEST_TOOLTIP)}
    </bdi>
  ) : (
    <bdi class="wrap">{text}</bdi>
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
          <dt>{nameOf(name)}</dt>
          <dd>
            <Value value={NAMING.has(name) ? naming(value) : value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Numbers that name something, and so are not written as amounts. */
const NAMING = new Set(['asn', 'lineNumber', 'columnNumber', 'statusCode']);

const naming = (value: unknown) => (typeof value === 'number' ? String(value) : value);
