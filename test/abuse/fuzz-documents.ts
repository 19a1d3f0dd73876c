import fc, { type Arbitrary } from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isAbstractType,
  isEnumType,
  isListType,
  isObjectType,
} from 'graphql';
import { graphSchema } from '../../schema/index.ts';

/** A GraphQL document. Most are valid or nearly valid for the schema; some are not documents at all. */
export function graphqlDocument(text: Arbitrary<string>): Arbitrary<string> {
  const value = (type: GraphQLInputType): Arbitrary<string> =>
    fc.oneof({ weight: 5, arbitrary: fitting(type, text) }, { weight: 1, arbitrary: anyValue(text) });
  const written = (arg: GraphQLArgument) => value(arg.type).map(literal => `${arg.name}: ${literal}`);
  const args = (field: GraphQLField<unknown, unknown>): Arbitrary<string> => {
    if (field.args.length === 0) return fc.constant('');
    const required = field.args.filter(({ type }) => String(type).endsWith('!'));
    const others = field.args.filter(arg => !required.includes(arg));
    const some = fc.subarray(others, { maxLength: Math.min(3, others.length) });
    return some
      .chain(optional => fc.tuple(...[...required, ...optional].map(written)))
      .map(list => (list.length === 0 ? '' : `(${list.join(', ')})`));
  };
  const selection = (type: GraphQLOutputType, depth: number): Arbitrary<string> => {
    const named = getNamedType(type);
    if (isAbstractType(named)) {
      return fc
        .tuple(
          ...graphSchema
            .getPossibleTypes(named)
            .map(member => selection(member, depth).map(inner => `... on ${member.name} ${inner}`)),
        )
        .map(members => `{ __typename ${members.join(' ')} }`);
    }
    if (!isObjectType(named)) return fc.constant('');
    const fields = Object.values(named.getFields()).filter(
      field => depth > 0 || !isObjectType(getNamedType(field.type)),
    );
    if (fields.length === 0) return fc.constant('{ __typename }');
    return fc
      .array(fc.constantFrom(...fields), { minLength: 1, maxLength: 4 })
      .chain(chosen =>
        fc.tuple(
          ...chosen.map(field =>
            fc
              .tuple(ALIAS, args(field), DIRECTIVE, selection(field.type, depth - 1))
              .map(([alias, args, directive, inner]) => `${alias}${field.name}${args}${directive} ${inner}`),
          ),
        ),
      )
      .map(list => `{ ${list.join(' ')} }`);
  };
  const sound = selection(graphSchema.getQueryType()!, 5);
  return fc.oneof(
    { weight: 6, arbitrary: sound },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          sound,
          fc.array(fc.tuple(fc.nat(), fc.constantFrom(...TOKENS)), { minLength: 1, maxLength: 3 }),
        )
        .map(([document, changes]) => applyChanges(document, changes)),
    },
    {
      weight: 1,
      arbitrary: fc.array(fc.constantFrom(...TOKENS), { maxLength: 40 }).map(tokens => tokens.join(' ')),
    },
    { weight: 1, arbitrary: fc.constantFrom(...FLOODS) },
    { weight: 1, arbitrary: text },
  );
}

const ALIAS = fc.constantFrom('', '', '', 'a: ', 'b: ', '__proto__: ', 'constructor: ', 'toString: ');
const DIRECTIVE = fc.constantFrom(
  '',
  '',
  '',
  '',
  ' @include(if: true)',
  ' @skip(if: $v)',
  ' @include(if: $__proto__)',
  ' @deprecated',
  ' @a',
);
const TOKENS = [
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  ':',
  '...',
  '!',
  '$v',
  '$__proto__',
  '@skip(if: true)',
  '"',
  '"""',
  '#',
  'query',
  'mutation',
  'subscription',
  'fragment',
  'on',
  'Account',
  'viewer',
  '__typename',
  '__schema',
  'null',
  '1',
  '1e400',
  '"\\u0000"',
  '"\\ud800"',
  '💥',
  '\0',
];
const FLOODS = [
  `{ ${'__typename '.repeat(900)} }`,
  `{ ${'viewer { id } '.repeat(200)} }`,
  `${'{ viewer '.repeat(300)}`,
  `{ viewer { ${'...f '.repeat(200)} } } fragment f on Account { id }`,
  `query(${Array.from({ length: 200 }, (_, i) => `$v${i}: Int`).join()}) { __typename }`,
  `{ ${Array.from({ length: 100 }, (_, i) => `a${i}: viewer { id }`).join(' ')} }`,
  `{ account(id: "${'x'.repeat(50_000)}") { id } }`,
  `{ account(id: ${'['.repeat(400)}${']'.repeat(400)}) { id } }`,
];

function fitting(type: GraphQLInputType, text: Arbitrary<string>): Arbitrary<string> {
  if (isListType(type) || (String(type).startsWith('[') && String(type).endsWith(']!'))) {
    return fc.array(text, { maxLength: 4 }).map(items => JSON.stringify(items));
  }
  const named = getNamedType(type);
  if (isEnumType(named)) return fc.constantFrom(...named.getValues().map(({ name }) => name));
  switch (named.name) {
    case 'Int':
      return fc.oneof(fc.integer().map(String), fc.integer({ min: 1, max: 12 }).map(String));
    case 'Boolean':
      return fc.constantFrom('true', 'false');
    case 'PeriodDate':
      return fc.constantFrom('"2026-05-20"', '"2026-05"', '"2026-05-20T14"', '"2026-02-30"', '""');
    default:
      return text.map(value => JSON.stringify(value));
  }
}

function anyValue(text: Arbitrary<string>): Arbitrary<string> {
  return fc.oneof(
    text.map(value => JSON.stringify(value)),
    fc.constantFrom(
      'null',
      '1',
      '-1',
      '1.5',
      '1e999',
      'true',
      'DAYS',
      '[]',
      '{}',
      '{ a: 1 }',
      '[[1]]',
      '$v',
      '"""a"""',
      '99999999999',
    ),
  );
}

function applyChanges(document: string, changes: [number, string][]): string {
  const tokens = document.split(' ');
  for (const [place, token] of changes) tokens.splice(place % tokens.length, place % 3, token);
  return tokens.join(' ');
}
