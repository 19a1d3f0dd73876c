/** JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Reference {
  $ref: string;
}

export interface OpenApiHeader {
  description: string;
  required: boolean;
  schema: JsonSchema;
  example: string | number;
}

export interface OpenApiParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  required?: boolean;
  style?: 'form';
  explode?: false;
  schema: JsonSchema;
  example: unknown;
}

export interface OpenApiExample {
  summary: string;
  value: unknown;
}

export interface MediaType {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, OpenApiExample | Reference>;
}

export interface Response {
  description: string;
  headers: Record<string, Reference>;
  /** The bodies by media type. */
  content?: Record<string, MediaType>;
}

export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: (OpenApiParameter | Reference)[];
  responses: Record<string, Response | Reference>;
}

export interface Components {
  schemas: Record<string, JsonSchema>;
  responses: Record<string, Response>;
  parameters: Record<string, OpenApiParameter>;
  examples: Record<string, OpenApiExample>;
  headers: Record<string, OpenApiHeader>;
  securitySchemes: Record<string, JsonSchema>;
}

export interface OpenApiServer {
  url: string;
  description: string;
  variables?: Record<string, { default: string; description: string }>;
}

/** The part of OpenAPI 3.1 that describes `/v1` and `/export`. */
export interface OpenApiDocument {
  openapi: '3.1.1';
  info: Record<string, unknown>;
  servers: readonly OpenApiServer[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, { get: OperationObject }>;
  components: Components;
}
