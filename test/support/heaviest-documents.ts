import { REPORT_TYPES, type ReportType } from '@sightline/reports';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
} from 'graphql';
import { graphSchema } from '../../schema/index.ts';
import { listDimensions } from '../../sql/report/dimensions.ts';
import { listFilters } from '../../sql/report/filters.ts';
import { checkMeasure, checkText } from '../../src/graphql/limits.ts';
import { IN_EARNEST } from '../faults/scale.ts';
import { CERTIFICATE } from './fixtures.ts';
import { readAll } from './selections.ts';
import { SITE } from './worst-accounts.ts';

export interface HeavyDocument {
  name: string;
  query: string;
  variables: Record<string, unknown>;
}

/** Policies of the maximum length, each of a different form. */
export const LONGEST_POLICIES: Readonly<Record<string, string>> = {
  hosts: fill('script-src', n => `https://${n}.example`),
  wildcards: fill('default-src', n => `https://*.h${n}.example:*/a/b/`),
  hashes: fill(
    "script-src 'strict-dynamic'",
    n => `'sha256-${Buffer.from(`${n}`.padEnd(32)).toString('base64')}'`,
  ),
  directives: fill('img-src *', n => `;d${n.toString(36)} a`),
  'one long source': `script-src https://x.example/${'a/'.repeat(8000)}`,
};

function fill(start: string, source: (n: number) => string): string {
  let text = start;
  for (let n = 0; ; n++) {
    const longer = `${text} ${source(n)}`;
    if (longer.length > 16 * 1024) return text;
    text = longer;
  }
}

const list = <Item>(count: number, item: (n: number) => Item) =>
  Array.from({ length: count }, (_, n) => item(n));

/** The most expensive value of each type of argument. If a type is missing, the tests fail. */
function toHeaviest(now: string): Record<string, unknown> {
  return {
    AddedSource: { directive: 'img-src', source: `https://${'a'.repeat(50)}.example` },
    Boolean: true,
    FilterText: 'x'.repeat(2048),
    DmarcText: `v=DMARC1; p=reject; rua=${list(20, () => 'mailto:reports@example.com').join(',')}`,
    GraphAmount: 12,
    HostName: SITE,
    HostPattern: `*${'a*'.repeat(100)}`,
    ID: `r-1`,
    Instant: `${now.slice(0, 8)}01`,
    Int: 1000,
    PageLimit: 1000,
    PathPattern: `*${'/a*'.repeat(600)}`,
    PeriodDate: now.slice(0, 7),
    PolicyText: LONGEST_POLICIES.hosts,
    ReputationScore: 100,
    Sha256: CERTIFICATE.sha256,
    String: 'x'.repeat(2048),
  };
}

/** The maximum number of items in a list. */
const MOST_ITEMS: Readonly<Record<string, number>> = { AddedSource: 200, HostPattern: 50, PathPattern: 50 };

class Author {
  readonly #heaviest: Record<string, unknown>;

  constructor(now: string) {
    this.#heaviest = toHeaviest(now);
  }

  value(type: GraphQLInputType): unknown {
    const nullable = getNullableType(type);
    if (isListType(nullable)) {
      const named = getNamedType(nullable);
      if (isEnumType(named)) return named.getValues().map(({ name }) => name);
      return list(MOST_ITEMS[named.name] ?? 1, () => this.value(nullable.ofType));
    }
    if (isEnumType(nullable)) return nullable.getValues().at(-1)!.name;
    const value = this.#heaviest[nullable.toString()];
    if (value === undefined)
      throw new Error(`test/support/heaviest-documents.ts has no value of ${nullable}`);
    return value;
  }

  /** Filters of a type that exclude nothing. */
  filters(type: ReportType): Record<string, unknown> {
    const input = graphSchema.getType('ReportFilter');
    if (!isInputObjectType(input)) throw new Error('there is no type ReportFilter');
    const fields = input.getFields();
    const texts = listFilters(type).filter(
      ({ name, kind, field }) => !field && fields[name] && TEXTS.has(kind),
    );
    return Object.fromEntries(texts.map(({ name }) => [name, this.value(fields[name]!.type)]));
  }
}

const TEXTS = new Set(['hosts', 'paths', 'hashes', 'equals', 'contains', 'policy']);

const isRequired = ({ type }: GraphQLArgument) => isNonNullType(type);

/** Optional arguments that make a response longer or more expensive. */
const HEAVY = new Set(['first', 'limit', 'from', 'orderBy', 'add', 'allow', 'baseline', 'paths']);

type Values = Record<string, unknown>;

/** The arguments of a field, once for each way to request it. */
function* listArguments(
  { name, args }: GraphQLField<unknown, unknown>,
  author: Author,
): Generator<{ label: string; values: Values }> {
  const has = (wanted: string) => args.some(({ name }) => name === wanted);
  const given = args.filter(arg => isRequired(arg) || HEAVY.has(arg.name));
  const values: Values = Object.fromEntries(given.map(arg => [arg.name, author.value(arg.type)]));
  if (values.unit === 'months' && values.from) delete values.unit;
  if (has('type')) yield* listTypes(name, values, author, has);
  else if (given.some(({ type }) => getNamedType(type).name === 'PolicyText'))
    yield* listPolicies(name, values, args.filter(isRequired));
  else yield { label: name, values };
}

function* listTypes(name: string, all: Values, author: Author, has: (argument: string) => boolean) {
  for (const type of REPORT_TYPES) {
    const values: Values = { ...all, type };
    const dimensions = listDimensions(type).map(({ name }) => name);
    if (!has('by')) yield { label: `${name} of ${type}`, values };
    else
      for (const by of IN_EARNEST ? inThrees(dimensions) : [dimensions.slice(0, 3)])
        yield { label: `${name} of ${type} by ${by}`, values: { ...values, by } };
    if (!has('not')) continue;
    const filtered = {
      ...values,
      not: author.filters(type),
      ...(has('by') && { by: dimensions.slice(0, 1) }),
    };
    yield { label: `${name} of ${type} with filters`, values: filtered };
  }
}

function* listPolicies(name: string, all: Values, required: readonly GraphQLArgument[]) {
  const names = ['policy', 'baseline'].filter(key => key in all);
  const least = Object.fromEntries(
    Object.entries(all).filter(([key]) => required.some(arg => arg.name === key)),
  );
  for (const [form, policy] of Object.entries(LONGEST_POLICIES)) {
    const policies = Object.fromEntries(names.map(name => [name, policy]));
    yield { label: `${name} of ${form}`, values: { ...all, ...policies } };
    const alone = Object.fromEntries(names.filter(name => name in least).map(name => [name, policy]));
    yield { label: `${name} of ${form} without options`, values: { ...least, from: all.from, ...alone } };
  }
}

function inThrees<Item>(items: readonly Item[]): Item[][] {
  return list(Math.ceil(items.length / 3), n => items.slice(3 * n, 3 * n + 3));
}

/**
 * As many aliases of a field as are accepted. In test:faults, also one alias, and one more than accepted, which must be
 * refused quickly.
 */
function* aliased(
  name: string,
  { name: field, type, args }: GraphQLField<unknown, unknown>,
  values: Record<string, unknown>,
): Generator<HeavyDocument> {
  const names = Object.keys(values);
  const declared = names.map(name => `$${name}: ${args.find(arg => arg.name === name)!.type}`);
  const given = names.map(name => `${name}: $${name}`);
  const text = `${field}${given.length > 0 ? `(${given})` : ''} ${readAll(getNamedType(type).name)}`;
  const toQuery = (count: number) =>
    `query${declared.length > 0 ? `(${declared})` : ''} { viewer { ${list(count, n => (count === 1 ? text : `a${n}: ${text}`)).join(' ')} } }`;
  const isAccepted = (count: number) => {
    const document = parse(toQuery(count));
    return !checkText(document) && !checkMeasure(document, values);
  };
  const most = list(15, n => 15 - n).find(isAccepted) ?? 0;
  for (const count of IN_EARNEST ? new Set([1, most, most + 1]) : [most])
    if (count > 0 && count <= 15)
      yield { name: `${name}, ${count} times`, query: toQuery(count), variables: values };
}

/** For each field of an account, a document with everything below it, once and with aliases. */
export function* heaviestDocuments(now: string): Generator<HeavyDocument> {
  const account = graphSchema.getType('Account');
  if (!isObjectType(account)) throw new Error('there is no type Account');
  const author = new Author(now);
  for (const field of Object.values(account.getFields()))
    for (const { label, values } of listArguments(field, author)) yield* aliased(label, field, values);
}

/** The same for all accounts, as an internal token can request it. */
export function* documentsOfAccounts(): Generator<HeavyDocument> {
  const account = graphSchema.getType('Account');
  if (!isObjectType(account)) throw new Error('there is no type Account');
  for (const { name, type, args } of Object.values(account.getFields())) {
    if (args.some(isRequired)) continue;
    const query = `{ accounts { nodes { ${name} ${readAll(getNamedType(type).name)} } } }`;
    yield { name: `accounts with ${name}`, query, variables: {} };
  }
}
