import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLType,
  type GraphQLUnionType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isUnionType,
} from 'graphql';
import type { JsonSchema, Reference } from './types.ts';

const BUILT_IN: Readonly<Record<string, JsonSchema>> = {
  String: { type: 'string' },
  ID: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
};

/** JSON Schemas of GraphQL types. Named types become components; scalars are written inline. */
export class SchemaComponents {
  readonly schemas: Record<string, JsonSchema> = {};

  /** The schema of a field in a response. It allows null if the type does. */
  output(type: GraphQLType): JsonSchema {
    return isNonNullType(type) ? this.#present(type.ofType) : orNull(this.#present(type));
  }

  /** The schema of a parameter. It is optional if its type allows null. */
  input({ type, extensions }: GraphQLArgument): JsonSchema {
    const schema = this.#present(isNonNullType(type) ? type.ofType : type);
    return { ...schema, ...(extensions.openapi as JsonSchema | undefined) };
  }

  reference(type: GraphQLNamedType): Reference {
    if (!(type.name in this.schemas)) {
      // Reserves the position in the order of first use, and ends recursion.
      this.schemas[type.name] = {};
      this.schemas[type.name] = this.#component(type);
    }
    return { $ref: `#/components/schemas/${type.name}` };
  }

  /** Creates a component with fields before and after those of an object type. */
  behind(
    name: string,
    first: Record<string, JsonSchema>,
    type: GraphQLObjectType,
    last: Record<string, JsonSchema> = {},
  ): Reference {
    const { description, properties } = this.#object(type);
    const { id: _, ...fields } = properties as Record<string, JsonSchema>;
    return this.add(name, joinDescriptions(name, String(description)), { ...first, ...fields, ...last });
  }

  /** Adds an object that no type describes. */
  add(name: string, description: string, properties: Record<string, JsonSchema>): Reference {
    this.schemas[name] = closedObject(description, properties);
    return { $ref: `#/components/schemas/${name}` };
  }

  #present(type: GraphQLType): JsonSchema {
    if (isListType(type)) return { type: 'array', items: this.output(type.ofType) };
    if (isScalarType(type)) return scalar(type);
    return { ...this.reference(type as GraphQLNamedType) };
  }

  #component(type: GraphQLNamedType): JsonSchema {
    if (isEnumType(type)) return enumeration(type);
    if (isUnionType(type)) return this.#union(type);
    if (isObjectType(type)) return this.#object(type);
    throw new Error(`${type.name} is of a kind that no response or parameter has`);
  }

  #object(type: GraphQLObjectType): JsonSchema {
    const names = Object.keys(type.getFields());
    return closedObject(
      joinDescriptions(type.name, type.description),
      Object.fromEntries(names.map(name => [name, this.property(type, name)])),
    );
  }

  property(owner: GraphQLObjectType, name: string): JsonSchema {
    const { type, description, extensions }: GraphQLField<unknown, unknown> = owner.getFields()[name]!;
    const values = extensions.values as readonly string[] | undefined;
    const own = extensions.openapi as JsonSchema | undefined;
    return {
      // A schema with a type of its own needs no generated one.
      ...(own?.type ? {} : values ? oneOfOrEmpty(values) : this.output(type)),
      description: joinDescriptions(`${owner.name}.${name}`, description),
      ...own,
    };
  }

  #union(type: GraphQLUnionType): JsonSchema {
    return {
      description: joinDescriptions(type.name, type.description),
      oneOf: type.getTypes().map(member => this.reference(member)),
    };
  }
}

/** An object with only known keys, all of which are required. */
function closedObject(description: string, properties: Record<string, JsonSchema>): JsonSchema {
  const required = Object.keys(properties);
  return { type: 'object', description, properties, required, additionalProperties: false };
}

function scalar(type: GraphQLNamedType): JsonSchema {
  const schema = BUILT_IN[type.name] ?? (type.extensions.openapi as JsonSchema | undefined);
  if (!schema)
    throw new Error(`The scalar ${type.name} says nothing of its values: extensions.openapi is missing`);
  return { ...schema };
}

/**
 * The text is empty if unknown. As a member of the `enum`, it would have no name in generated code. Half of the
 * generators support only `const`, the others only `enum`.
 */
function oneOfOrEmpty(values: readonly string[]): JsonSchema {
  return {
    anyOf: [
      { type: 'string', enum: [...values] },
      { type: 'string', description: 'Empty if unknown.', const: '', enum: [''] },
    ],
  };
}

function enumeration(type: GraphQLEnumType): JsonSchema {
  return {
    type: 'string',
    description: joinDescriptions(type.name, type.description),
    enum: type.getValues().map(({ name }) => name),
  };
}

export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (typeof type !== 'string') return { oneOf: [schema, { type: 'null' }] };
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) };
}

export function joinDescriptions(what: string, description: string | null | undefined): string {
  if (!description) throw new Error(`${what} has no description`);
  return description;
}
