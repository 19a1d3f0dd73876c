import type { GraphQLParameters } from './executor.ts';
import type { GraphQLRequest } from './messages.ts';

/** The parameters of a POST that has nothing unusual about it; undefined for every other request. */
export function plainParameters({ method, body }: GraphQLRequest): GraphQLParameters | undefined {
  if (method !== 'POST') return undefined;
  const sent = parseJson(body);
  return isPlain(sent) ? sent : undefined;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

type Check = (value: unknown) => boolean;

const isText: Check = value => typeof value === 'string';
const isObject: Check = value => typeof value === 'object' && value !== null && !Array.isArray(value);
const orNull =
  (check: Check): Check =>
  value =>
    value === null || check(value);

const CHECKS = new Map<string, Check>([
  ['query', isText],
  ['operationName', orNull(isText)],
  ['variables', orNull(isObject)],
  ['extensions', orNull(isObject)],
]);

function isPlain(sent: unknown): sent is GraphQLParameters {
  if (!isObject(sent)) return false;
  const parameters = sent as Record<string, unknown>;
  return 'query' in parameters && Object.keys(parameters).every(name => CHECKS.get(name)?.(parameters[name]));
}
