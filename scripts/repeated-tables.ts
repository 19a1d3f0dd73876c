import { type ASTNode, type DocumentNode, Kind, visit } from 'graphql';

/** The variables of a table. */
const VARIABLES = ['table', 'hasTable'];

/**
 * Repeats the field `table` of a document, with its variables, as `table0`, `table1` and so on, since GraphQL has no
 * loops. Elsewhere, `$table` refers to the first one.
 * @param most maximum number of tables in a view
 */
export function repeatTables(document: DocumentNode, most: number): DocumentNode {
  const places = Array.from({ length: most }, (_, place) => place);
  const repeated = <Node extends ASTNode>(nodes: readonly Node[], isTable: (node: Node) => boolean) =>
    nodes.flatMap(node => (isTable(node) ? places.map(place => numbered(node, place)) : [node]));
  const ofAll = visit(document, {
    OperationDefinition: operation => ({
      ...operation,
      variableDefinitions: repeated(operation.variableDefinitions ?? [], ({ variable }) =>
        VARIABLES.includes(variable.name.value),
      ),
    }),
    SelectionSet: set => ({
      ...set,
      selections: repeated(
        set.selections,
        field => field.kind === Kind.FIELD && field.alias?.value === 'table',
      ),
    }),
  });
  return numbered(ofAll, 0);
}

/** Numbers each `table` in a node that is an alias or a variable. */
function numbered<Node extends ASTNode>(node: Node, place: number): Node {
  return visit<ASTNode>(node, {
    Name: (name, key, parent) => {
      const isOurs = key === 'alias' || (parent as ASTNode).kind === Kind.VARIABLE;
      return isOurs && VARIABLES.includes(name.value)
        ? { ...name, value: `${name.value}${place}` }
        : undefined;
    },
  }) as Node;
}
