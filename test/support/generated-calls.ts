import type { OperationObject, Parameter } from '@sightline/openapi';
import { contract, resolve } from './contract.ts';
import { CERTIFICATE } from './fixtures.ts';

/** A call of an operation in openapi.yaml, with its arguments. */
export interface Call {
  /** Unique among the calls. */
  name: string;
  operationId: string;
  /** As in openapi.yaml: `/v1/policies/csp/{id}`. */
  path: string;
  tag: string;
  inPath: Readonly<Record<string, unknown>>;
  inQuery: Readonly<Record<string, unknown>>;
  /** True if the operation has query parameters, required or not. */
  takesQuery: boolean;
  isExport: boolean;
  /** The status of the response. */
  status: number;
}

/** Arguments that return 200 for an account with `belongings`, by the names of required parameters. */
const ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  type: ['csp'],
  unit: ['days', 'months'],
  date: ['2026-05-20'],
  amount: [3],
  sha256: [CERTIFICATE.sha256],
  id: ['pol_own'],
  domain: ['own.example.com'],
};

/** A filter that matches no report, because a client that sends it incorrectly gets reports. */
const NO_HOST = { hostnames: ['nobody.example.com', '*.nobody.example'] };

/** Every operation, every list also with a filter, and one error of each kind. */
export function listCalls(): Call[] {
  const operations = Object.entries(contract.paths).map(([path, { get }]) => toCall(path, get));
  const filtered = operations
    .filter(({ path }) => listParameters(contract.paths[path]!.get).some(({ name }) => name === 'hostnames'))
    .map(call => ({ ...call, name: `${call.name} of no host`, inQuery: { ...call.inQuery, ...NO_HOST } }));
  const find = (id: string) => operations.find(({ operationId }) => operationId === id)!;
  return [
    ...operations,
    ...filtered,
    { ...find('getCspPolicy'), name: 'an unknown policy', status: 404, inPath: { id: 'pol_of_nobody' } },
    {
      ...find('listCspReports'),
      name: 'an invalid date',
      status: 400,
      inQuery: { unit: 'days', date: 'yesterday' },
    },
  ];
}

function listParameters({ parameters }: OperationObject): Parameter[] {
  return parameters.map(parameter => resolve<Parameter>([], parameter).value);
}

function toCall(path: string, operation: OperationObject): Call {
  const parameters = listParameters(operation);
  const choose = (place: Parameter['in']) =>
    Object.fromEntries(
      parameters
        .filter(each => each.in === place && each.required)
        .map(parameter => [parameter.name, chooseArgument(parameter)]),
    );
  return {
    name: operation.operationId,
    operationId: operation.operationId,
    path,
    tag: operation.tags[0]!,
    inPath: choose('path'),
    inQuery: choose('query'),
    takesQuery: parameters.some(each => each.in === 'query'),
    isExport: path.startsWith('/export/'),
    status: 200,
  };
}

function chooseArgument({ name, schema }: Parameter): unknown {
  const { value } = resolve<{ enum?: readonly unknown[] }>([], schema as { enum?: readonly unknown[] });
  const chosen = ARGUMENTS[name]?.find(argument => value.enum?.includes(argument) ?? true);
  if (chosen === undefined) throw new Error(`test/support/generated-calls.ts has no argument for ${name}`);
  return chosen;
}

/** The same call without a client: path and query. */
export function toTarget({ path, inPath, inQuery }: Call, more: Record<string, string> = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inPath[name])));
  const query = new URLSearchParams({ ...toTexts(inQuery), ...more });
  return query.size > 0 ? `${filled}?${query}` : filled;
}

const toTexts = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
