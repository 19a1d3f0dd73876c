/** JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Reference {
  $ref: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  required?: boolean;
  schema: JsonSchema;
  example: unknown;
}

export interface Example {
  summary: string;
  value: unknown;
}

export interface MediaType {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, Example | Reference>;
}

export interface Response {
  content?: Record<string, MediaType>;
}

export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: (Parameter | Reference)[];
  responses: Record<string, Response | Reference>;
}

/** The part of an OpenAPI 3.1 document that the documentation shows. */
export interface OpenApiDocument {
  info: Record<string, unknown>;
  tags: readonly { name: string; description: string }[];
  paths: Record<string, { get: OperationObject }>;
  components: { schemas: Record<string, JsonSchema> };
}

/** Follows references to components; a value that is none is left as it is. */
export function resolver({ components }: OpenApiDocument): <Value>(value: Value | Reference) => Value {
  const byKind = components as unknown as Record<string, Record<string, unknown>>;
  return <Value>(value: Value | Reference): Value => {
    const { $ref } = value as Reference;
    if ($ref === undefined) return value as Value;
    const [kind = '', name = ''] = $ref.split('/').slice(2);
    return byKind[kind]![name] as Value;
  };
}
