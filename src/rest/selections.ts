import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  isAbstractType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { restSchema } from '../../schema/index.ts';

/** What a document selects of an object; undefined for all that there is. */
export type Selections = SelectionSetNode | undefined;

/** A field that is selected. */
export interface Selected {
  /** The key in the answer. */
  name: string;
  field: GraphQLField<unknown, unknown>;
  selections: Selections;
}

/**
 * The fields of a type that are selected, in their order.
 * @throws {Error} for what SOFA does not select, and no route writes: fragments with names, arguments, directives, and a key that comes twice
 */
export function selectedFields(type: GraphQLObjectType, selections: Selections): Selected[] {
  const fields = type.getFields();
  if (!selections) return Object.values(fields).map(field => ({ name: field.name, field, selections }));
  const selected = nodesOf(type, selections).map(node => {
    const name = (node.alias ?? node.name).value;
    const field = fields[node.name.value];
    if (!field) throw new Error(`${type} has no field ${node.name.value}`);
    return { name, field, selections: node.selectionSet };
  });
  const twice = selected.find(({ name }, index) => selected.findIndex(other => other.name === name) < index);
  if (twice) throw new Error(`${type}.${twice.name} is selected twice`);
  return selected;
}

function nodesOf(type: GraphQLObjectType, { selections }: SelectionSetNode): FieldNode[] {
  return selections.flatMap(node => {
    if (node.directives?.length || node.kind === Kind.FRAGMENT_SPREAD) {
      throw new Error(`of ${type} more is selected than fields`);
    }
    if (node.kind === Kind.FIELD) return [node];
    return applies(type, node.typeCondition?.name.value) ? nodesOf(type, node.selectionSet) : [];
  });
}

function applies(type: GraphQLObjectType, condition: string | undefined): boolean {
  if (condition === undefined || condition === type.name) return true;
  const named = restSchema.getType(condition);
  return isAbstractType(named) && restSchema.isSubType(named, type);
}
