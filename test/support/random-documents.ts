import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { graphSchema } from '../../schema/index.ts';
import { CERTIFICATE } from './fixtures.ts';

export interface RandomDocument {
  query: string;
  variables: Record<string, unknown>;
}

/** Values that have results, values that have none, and values that are refused. */
const VALUES: Record<string, readonly unknown[]> = {
  AddedSource: [{ directive: 'img-src', source: 'data:' }],
  Boolean: [true, false],
  Cursor: ['!'],
  FilterText: ['nel-1', 'x'],
  GraphAmount: [1, 3, 5, 12],
  HostName: ['www.example.com', '*', 'x'],
  HostPattern: ['*', 'www.example.com', '\u{1d4b3}'],
  Instant: ['2026-05-01', '2026-05-20T14:00:00Z'],
  Int: [1, 2, 100, 0],
  PageLimit: [1, 1000],
  PathPattern: ['*'],
  PeriodDate: ['2026-05-20', '2026-05-20', '2026-05', '2026-02-30'],
  DmarcText: ['p=reject; adkim=s'],
  PolicyText: ["default-src 'self'"],
  ReputationScore: [50],
  Sha256: [CERTIFICATE.sha256],
  String: ['!', 'Account', 'apiKeyCreated', '"\\\n\u2028'],
  Upload: [],
};

/**
 * Generates a document for `/graphql` that is usually valid. Fields with the same response key have the same arguments.
 */
export function randomDocument(g: fc.GeneratorValue, ids: readonly string[]): RandomDocument {
  return new Author(g, ids).document();
}

class Author {
  #g: fc.GeneratorValue;
  #ids: readonly string[];
  #arguments = new Map<string, string>();
  #fragments: { name: string; on: string; text: string }[] = [];
  #declared: string[] = ['$yes: Boolean!', '$no: Boolean!'];
  #variables: Record<string, unknown>;

  constructor(g: fc.GeneratorValue, ids: readonly string[]) {
    this.#g = g;
    this.#ids = ids;
    this.#variables = { yes: g(fc.boolean), no: g(fc.boolean) };
  }

  document(): RandomDocument {
    const selection = this.#selection(graphSchema.getQueryType()!, 6);
    // Every variable must be used.
    const uses = '__typename @include(if: $yes) @skip(if: $no)';
    const fragments = this.#fragments.map(({ name, on, text }) => `fragment ${name} on ${on} ${text}`);
    const query = `query (${this.#declared.join(', ')}) ${selection.replace('{', `{ ${uses} `)} ${fragments.join(' ')}`;
    return { query, variables: this.#variables };
  }

  #below(count: number): number {
    return this.#g(fc.nat, { max: count - 1 });
  }

  #oneOf<Item>(items: readonly Item[]): Item {
    return items[this.#below(items.length)]!;
  }

  #selection(type: GraphQLCompositeType, depth: number): string {
    const parts = Array.from({ length: 1 + this.#below(4) }, () => this.#part(type, depth));
    return `{ ${parts.join(' ')} }`;
  }

  #part(type: GraphQLCompositeType, depth: number): string {
    const kind = this.#below(8);
    if (kind === 0) return `__typename${this.#directive()}`;
    if (kind === 1 && depth > 0) return this.#spread(type, depth - 1);
    if (kind === 2 && depth > 0) return `...${this.#directive()} ${this.#selection(type, depth - 1)}`;
    if (isAbstractType(type) && (kind < 6 || !('getFields' in type))) {
      const member = this.#oneOf(graphSchema.getPossibleTypes(type));
      return `... on ${member.name}${this.#directive()} ${this.#selection(member, depth)}`;
    }
    const fields = Object.values((type as Extract<typeof type, { getFields(): unknown }>).getFields());
    const usable = depth > 0 ? fields : fields.filter(({ type }) => !isCompositeType(getNamedType(type)));
    return usable.length > 0 ? this.#field(type, this.#oneOf(usable), depth) : '__typename';
  }

  /** A named fragment, which can be used wherever it fits. */
  #spread(type: GraphQLCompositeType, depth: number): string {
    const fitting = this.#fragments.filter(({ on }) => on === type.name);
    if (fitting.length > 0 && this.#below(2) === 0)
      return `...${this.#oneOf(fitting).name}${this.#directive()}`;
    const text = this.#selection(type, depth);
    const name = `f${this.#fragments.length}`;
    this.#fragments.push({ name, on: type.name, text });
    return `...${name}${this.#directive()}`;
  }

  #field(type: GraphQLCompositeType, field: GraphQLField<unknown, unknown>, depth: number): string {
    const alias = this.#oneOf(['', '', '', 'a_', 'b_']);
    const named = getNamedType(field.type);
    const below = isCompositeType(named) ? this.#selection(named, depth - 1) : '';
    const key = alias && `${alias}${field.name}: `;
    return `${key}${field.name}${this.#readArguments(type, field)}${this.#directive()} ${below}`;
  }

  #directive(): string {
    const kind = this.#below(12);
    if (kind === 0) return ' @include(if: $yes)';
    if (kind === 1) return ' @skip(if: $no)';
    return '';
  }

  #readArguments(type: GraphQLCompositeType, { name, args }: GraphQLField<unknown, unknown>): string {
    if (args.length === 0) return '';
    // The fields of an interface are also fields of its types.
    const place = isObjectType(type) && type.getInterfaces().length > 0 ? name : `${type.name}.${name}`;
    const existing = this.#arguments.get(place);
    if (existing !== undefined) return existing;
    const given = args
      .filter(arg => isNonNullType(arg.type) || this.#below(8) === 0)
      .map(arg => this.#given(arg));
    const text = given.length > 0 ? `(${given.join(', ')})` : '';
    this.#arguments.set(place, text);
    return text;
  }

  #given({ name, type }: GraphQLArgument): string {
    const value = !isNonNullType(type) && this.#below(6) === 0 ? null : this.#value(type, name);
    if (this.#below(3) > 0) return `${name}: ${literal(type, value)}`;
    const variable = `v${this.#declared.length}`;
    this.#declared.push(`$${variable}: ${type}`);
    // A nullable variable can be omitted.
    if (value !== null || this.#below(2) === 0) this.#variables[variable] = value;
    return `${name}: $${variable}`;
  }

  #value(type: GraphQLInputType, name: string): unknown {
    const nullable = getNullableType(type);
    if (isListType(nullable))
      return Array.from({ length: 1 + this.#below(2) }, () => this.#value(nullable.ofType, name));
    if (isEnumType(nullable)) {
      const names = nullable.getValues().map(({ name }) => name);
      return this.#oneOf(name === 'unit' && names.includes('days') ? ['days', 'days', ...names] : names);
    }
    if (nullable.toString() === 'ID') return this.#oneOf(this.#ids);
    if (nullable.toString() === 'ReportFilter') return { hostnames: [this.#oneOf(VALUES.HostPattern!)] };
    return this.#oneOf(VALUES[nullable.toString()]!);
  }
}

/** A value in the syntax of a document. */
function literal(type: GraphQLInputType, value: unknown): string {
  if (value === null) return 'null';
  const nullable = getNullableType(type);
  if (Array.isArray(value) && isListType(nullable))
    return `[${value.map(item => literal(nullable.ofType, item)).join(', ')}]`;
  if (isEnumType(nullable)) return String(value);
  if (typeof value === 'object')
    return `{ ${Object.entries(value as object).map(([name, field]) => `${name}: ${JSON.stringify(field)}`)} }`;
  return JSON.stringify(value);
}
