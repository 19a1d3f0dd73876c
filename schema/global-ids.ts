import type { GraphQLSchema } from 'graphql';
import { isObjectType } from 'graphql';
import type { Account } from '../sql/account.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';

/**
 * Ids of an account's objects are unique only within the account and the type. Clients keep objects by
 * their `id`, over all accounts: so on `/graphql` it tells type, account and own id. `/v1` shows the own id.
 */
export const Node = builder.interfaceRef<object>('Node').implement({
  description: 'What has an id of its own, and is found again by it: see `Query.node`.',
  subGraphs: ['graph'],
  fields: t => ({
    id: t.id({ description: 'Identifier among all objects of all accounts; opaque.', subGraphs: ['graph'] }),
  }),
});

/** A row of a node that belongs to an account. */
interface OwnedNode {
  account_id: string;
  /** Unique within the account and the type. */
  id: string;
}

/** PostgreSQL knows no text with a NUL in it. */
const SEPARATOR = '\0';

function globalId(typeName: string, { account_id, id }: OwnedNode): string {
  return Buffer.from([typeName, account_id, id].join(SEPARATOR)).toString('base64url');
}

/** Reads a global id; undefined for every other text. */
export function readGlobalId(text: string): { typeName: string; account_id: string; id: string } | undefined {
  const [typeName, account_id, id] = Buffer.from(text, 'base64url').toString().split(SEPARATOR);
  if (typeName === undefined || account_id === undefined || id === undefined) return undefined;
  return globalId(typeName, { account_id, id }) === text ? { typeName, account_id, id } : undefined;
}

/** The own id of what is named by its own id or by its global one. */
export function ownIdOf(typeName: string, account: Account, text: string): string {
  const read = readGlobalId(text);
  return read?.typeName === typeName && read.account_id === account.id ? read.id : text;
}

/** Finds an account's object by its own id, as far as the account may see it. */
type Find = (account: Account, id: string, context: Context) => Promise<object | undefined>;

const finders = new Map<string, Find>();

/** Says how the objects of a type are found. Each type that is a `Node` and belongs to an account needs one. */
export function findsNodes(typeName: string, find: Find): void {
  finders.set(typeName, find);
}

export async function findNode(
  account: Account,
  { typeName, id }: { typeName: string; id: string },
  context: Context,
): Promise<object | undefined> {
  const found = await finders.get(typeName)?.(account, id, context);
  return found && typed(typeName, found);
}

/** An object as a value of an interface: it names its type. */
export function typed<Value extends object>(typeName: string, value: Value): Value {
  return Object.assign(value, { __typename: typeName });
}

/** Gives the types with a finder their global ids, in the schema that `/graphql` shows. */
export function withGlobalIds(schema: GraphQLSchema): GraphQLSchema {
  const node = schema.getType('Node');
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || !finders.has(type.name)) continue;
    const { id } = type.getFields();
    if (!id || !type.getInterfaces().some(is => is === node)) throw new Error(`${type.name} is no Node`);
    const value = (account_id: string, id: string) => globalId(type.name, { account_id, id });
    id.resolve = ({ account_id, id }) => value(account_id, id);
    id.extensions = { ...id.extensions, ofRow: { columns: ['account_id', 'id'], value } };
    id.description = 'Identifier among all objects of all accounts; opaque.';
  }
  return schema;
}
