import { BROWSER_RECORDS, SERVER_RECORDS } from '@sightline/reports/examples';
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLType,
  getNullableType,
  isEnumType,
  isListType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { ANSWERS } from './example-answers.ts';
import type { ExampleFields } from './example-fields.ts';

export const EXAMPLES: Readonly<Record<string, ExampleFields>> = {
  ...ANSWERS,
  ...BROWSER_RECORDS,
  ...SERVER_RECORDS,
};

/** A text without a natural example needs an explicit one. */
const BY_SCALAR: Readonly<Record<string, unknown>> = { Boolean: false, Flag: 0, Counter: 1 };

/** Returns an example of each type that a response can have. A union has one for each of its members. */
export function answerExamples(type: GraphQLNamedType): Map<string, unknown> {
  const types = isUnionType(type) ? type.getTypes() : isObjectType(type) ? [type] : [];
  return new Map(types.map(member => [member.name, objectExample(member)]));
}

export function objectExample(type: GraphQLObjectType): ExampleFields {
  return Object.fromEntries(
    Object.values(type.getFields()).map(field => [field.name, fieldExample(type.name, field)]),
  );
}

/** Returns an example with some of the fields. */
export function fieldExamples(type: GraphQLObjectType, names: readonly string[]): ExampleFields {
  const fields = type.getFields();
  return Object.fromEntries(names.map(name => [name, fieldExample(type.name, fields[name]!)]));
}

function fieldExample(owner: string, { name, type }: GraphQLField<unknown, unknown>): unknown {
  const own = EXAMPLES[owner]?.[name];
  const example = own === undefined ? typeExample(type) : own;
  if (example === undefined)
    throw new Error(`${owner}.${name} has no example: packages/openapi/src/examples.ts gathers them`);
  return example;
}

function typeExample(type: GraphQLType): unknown {
  const present = getNullableType(type);
  if (isListType(present)) {
    const item = typeExample(present.ofType);
    return item === undefined ? undefined : [item];
  }
  if (isObjectType(present)) return objectExample(present);
  if (isEnumType(present)) return present.getValues()[0]?.name;
  return BY_SCALAR[String(present)];
}

/** Examples of query parameters. Path parameters have theirs at the route. */
const PARAMETERS: Readonly<Record<string, unknown>> = {
  unit: 'days',
  date: '2026-11-20',
  action: 'enforced',
  hostnames: ['www.example.com', '*.shop.example.com'],
  paths: ['/checkout/*'],
  effectiveDirective: 'script-src-elem',
  blockedHostnames: ['*.slider-update.example'],
  blockedPaths: ['*/tag.js'],
  subresourceHostnames: ['js.adloom.example'],
  subresourcePaths: ['/v3/*'],
  subresourceHashes: ['sha256-k71KTnZikDKim7VkCRz6W+fwf4FgJt8WOMTEkMulL4c='],
  browser: 'Chrome',
  platform: 'Windows',
  nelType: 'tcp.timed_out',
  phase: 'connection',
  disposition: 'enforce',
  organisation: 'Example',
  id: '01a1f9d1-6b40-7c76-8b8f-000000000001',
  certType: 'certificate',
  issuer: 'Harbour',
  sha256Spki: 'f5a05d2c4d1dde8bea8daeb91f0fb12cc6d2b8234712ed28a08a9353ba9023c9',
  policyId: 'main-site',
  message: 'deprecated',
  policy: "default-src 'self'; script-src 'self' https://js.adloom.example; object-src 'none'",
  property: 'geolocation',
  destination: 'script',
  ioc: true,
  generatedDomain: true,
  suspicious: true,
  newlyRegisteredDomain: true,
  domainReputationScore: 30,
  anyThreatIntel: true,
  sourceClass: ['extension', 'browser'],
  aligned: false,
  dkim: 'fail',
  spf: 'fail',
  sender: 'mailing.example',
  sourceIp: '198.51.100.7',
  sourceNetwork: '198.51.100.0/24',
  serverIp: '192.0.2.10',
  violation: 'corp',
  reporter: 'Example Mail',
  policyType: 'sts',
  resultType: 'certificate-expired',
  hasFailures: true,
  reason: 'oom',
  featureId: 'PrefixedStorageInfo',
  wireType: 'document-policy-violation',
  limit: 100,
  cursor: ANSWERS.AuditLog?.nextCursor,
};

export function parameterExample(name: string): unknown {
  if (!(name in PARAMETERS))
    throw new Error(`The parameter ${name} has no example in packages/openapi/src/examples.ts`);
  return PARAMETERS[name];
}
