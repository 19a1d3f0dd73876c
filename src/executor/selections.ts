import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';

export interface FieldSelection {
  /** The key in the response. */
  name: string;
  field: GraphQLField<unknown, unknown>;
  /** The selections of the field: selections with the same response key are merged. Empty if everything is selected. */
  nodes: readonly FieldNode[];
  selections: Selections;
  /** The document, which resolvers receive through `info`. */
  document: SelectedDocument | undefined;
}

/** The selected fields of an object, by its type, in the order of the response. */
export type Selections = (type: GraphQLObjectType) => readonly FieldSelection[];

export interface SelectedDocument {
  schema: GraphQLSchema;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** The values of variables, which directives use to include or skip fields. */
  variables: Readonly<Record<string, unknown>>;
}

/** Selects all fields, for types without a document. */
export const everything: Selections = type =>
  Object.values(type.getFields()).map(field => ({
    name: field.name,
    field,
    nodes: [],
    selections: everything,
    document: undefined,
  }));

/**
 * Merges the selections of a valid document (GraphQL, section 6.3.2).
 * @throws {Error} for a field that its type does not have
 */
export function collectSelections(
  places: readonly { selectionSet?: SelectionSetNode | undefined }[],
  document: SelectedDocument,
): Selections {
  return type => {
    const nodes = new Map<string, FieldNode[]>();
    const spread = new Set<string>();
    for (const { selectionSet } of places) {
      for (const node of fieldsIn(selectionSet, type, document, spread)) {
        const name = (node.alias ?? node.name).value;
        const existing = nodes.get(name);
        if (existing) existing.push(node);
        else nodes.set(name, [node]);
      }
    }
    return Array.from(nodes, ([name, nodes]) => ({
      name,
      field: findField(type, nodes[0]!.name.value),
      nodes,
      selections: collectSelections(nodes, document),
      document,
    }));
  };
}

/** @param spread fragments that have been visited, since each counts once */
function* fieldsIn(
  set: SelectionSetNode | undefined,
  type: GraphQLObjectType,
  document: SelectedDocument,
  spread: Set<string>,
): Generator<FieldNode> {
  for (const node of set?.selections ?? []) {
    if (!isIncluded(node, document)) continue;
    if (node.kind === Kind.FIELD) {
      yield node;
    } else if (node.kind === Kind.INLINE_FRAGMENT || !spread.has(node.name.value)) {
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : document.fragments.get(node.name.value)!;
      if (node.kind === Kind.FRAGMENT_SPREAD) spread.add(node.name.value);
      const condition = fragment.typeCondition?.name.value;
      if (applies(condition, type, document)) yield* fieldsIn(fragment.selectionSet, type, document, spread);
    }
  }
}

function isIncluded(node: SelectionNode, { variables }: SelectedDocument): boolean {
  if (!node.directives?.length) return true;
  return (
    getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false
  );
}

function applies(
  condition: string | undefined,
  type: GraphQLObjectType,
  { schema }: SelectedDocument,
): boolean {
  if (condition === undefined || condition === type.name) return true;
  const named = schema.getType(condition);
  return isAbstractType(named) && schema.isSubType(named, type);
}

const OF_ALL_TYPES = [TypeNameMetaFieldDef, SchemaMetaFieldDef, TypeMetaFieldDef];

function findField(type: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> {
  const field = type.getFields()[name] ?? OF_ALL_TYPES.find(field => field.name === name);
  if (!field) throw new Error(`${type} has no field ${name}`);
  return field;
}

/** Returns the source property of a field; undefined if it has a resolver. */
export function getProperty({
  name,
  resolve,
  extensions,
}: GraphQLField<unknown, unknown>): string | undefined {
  if (extensions.ofRow) return undefined;
  return resolve ? (extensions.pothosExposedField as string | undefined) : name;
}
