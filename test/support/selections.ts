import { type GraphQLOutputType, getNamedType, isAbstractType, isNonNullType, isObjectType } from 'graphql';
import { graphSchema } from '../../schema/index.ts';

/** Everything that can be selected of a type without arguments; empty for a scalar. */
export function readAll(typeName: string): string {
  return selection(graphSchema.getType(typeName) as GraphQLOutputType);
}

function selection(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (isAbstractType(named)) {
    const members = graphSchema
      .getPossibleTypes(named)
      .map(member => `... on ${member.name} ${selection(member)}`);
    return `{ ${members.join(' ')} }`;
  }
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields()).filter(
    ({ args }) => !args.some(arg => isNonNullType(arg.type)),
  );
  return `{ ${fields.map(field => `${field.name} ${selection(field.type)}`).join(' ')} }`;
}

/** The fields of an account that return reports, and their report types. */
export function reportFields(): { field: string; selection: string }[] {
  const account = graphSchema.getType('Account');
  if (!isObjectType(account)) throw new Error('there is no type Account');
  return Object.values(account.getFields())
    .filter(({ name }) => name.endsWith('Reports'))
    .map(({ name, type }) => ({ field: name, selection: selection(type) }));
}
