import * as z from 'zod';

/** Arguments that n8n adds to every call. They are ignored. */
const ADDED_BY_CLIENTS = ['toolCallId', 'sessionId', 'action', 'chatInput'];

/**
 * Creates a tool's input schema. It accepts what models and their frameworks send: numbers as text, lists and objects
 * as JSON text, a single value instead of a list, and null for absent arguments. The error for an unknown argument
 * lists the valid ones.
 */
export function toolInput<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape> {
  const input = z.strictObject(shape, { error: issue => describeUnknown(issue, Object.keys(shape)) });
  const standard = input['~standard'];
  const validate: typeof standard.validate = given => standard.validate(readArguments(shape, given));
  const jsonSchema = { ...standard.jsonSchema, input: describeInput(standard.jsonSchema.input) };
  return Object.defineProperty(input, '~standard', { value: { ...standard, validate, jsonSchema } });
}

type Describe = z.ZodType['~standard']['jsonSchema']['input'];

/** Describes a tool's input without `propertyNames`, which Gemini refuses and which is redundant. */
const describeInput =
  (describe: Describe): Describe =>
  options =>
    JSON.parse(JSON.stringify(describe(options)), (key, value) =>
      key === 'propertyNames' ? undefined : value,
    );

function describeUnknown(issue: z.core.$ZodRawIssue, names: readonly string[]): string | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined;
  const taken = names.length > 0 ? `only ${names.join(', ')}` : 'none';
  return `Unknown argument: ${issue.keys.join(', ')}. The tool takes ${taken}`;
}

function readArguments(shape: z.ZodRawShape, given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const takes = (name: string) => Object.hasOwn(shape, name);
  const read = Object.entries(given)
    .filter(([name, value]) => value !== null && (takes(name) || !ADDED_BY_CLIENTS.includes(name)))
    .map(([name, value]) => [name, takes(name) ? readValue(shape[name]!, value) : value]);
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

function readValue(type: z.core.$ZodType, value: unknown): unknown {
  const { def } = type as z.ZodType;
  if (isWrapper(def)) return readOptional(def.innerType, value);
  if (def.type === 'string') return typeof value === 'number' ? String(value) : value;
  if (def.type === 'array') return readList(value);
  if (def.type === 'record') return readMembers(value);
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (def.type === 'number') return NUMBER.test(text) ? Number(text) : value;
  if (def.type === 'boolean') return BOOLEANS.get(text.toLowerCase()) ?? value;
  return value;
}

type Wrapper = z.core.$ZodTypeDef & { innerType: z.core.$ZodType };

const isWrapper = (def: z.core.$ZodTypeDef): def is Wrapper =>
  def.type === 'default' || def.type === 'optional';

/** Reads an optional value. An empty text and the word null mean that it is absent. */
function readOptional(type: z.core.$ZodType, value: unknown): unknown {
  return value === '' || value === 'null' ? undefined : readValue(type, value);
}

const NUMBER = /^-?\d+(\.\d+)?$/;
const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
]);

function readMembers(value: unknown): unknown {
  const members = typeof value === 'string' ? (parseJson(value) ?? value) : value;
  if (typeof members !== 'object' || members === null || Array.isArray(members)) return members;
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== null));
}

function readList(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const parsed = parseJson(value);
  return Array.isArray(parsed) ? parsed : value.split(',').map(item => item.trim());
}

function parseJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
