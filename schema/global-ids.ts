import type { GraphQLSchema } from 'graphql';
import { isObjectType } from 'graphql';
import type { Account } from '../sql/account.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';

/**
 * Local ids are unique only within an account and a type, while clients cache the objects of all accounts by `id`. On
 * `/graphql`, an id therefore contains type, account and local id. `/v1` shows the local id.
 */
export const Node = builder.interfaceRef<object>('Node').implement({
  description: 'An object with a global id, which `Query.node` accepts.',
  subGraphs: ['graph'],
  fields: t => ({
    id: t.id({
      description: 'Opaque identifier, unique among all objects of all accounts.',
      subGraphs: ['graph'],
    }),
  }),
});

/** A row of a node type that belongs to an account. */
interface TenantNode {
  account_id: string;
  /** Unique within the account and the type. */
  id: string;
}

/** A separator that cannot occur in ids, since PostgreSQL texts cannot contain NUL. */
const SEPARATOR = '\0';

function globalId(typeName: string, { account_id, id }: TenantNode): string {
  return Buffer.from([typeName, account_id, id].join(SEPARATOR)).toString('base64url');
}

/** Parses a global id. Returns undefined for any other text. */
export function readGlobalId(text: string): { typeName: string; account_id: string; id: string } | undefined {
  const [typeName, account_id, id] = Buffer.from(text, 'base64url').toString().split(SEPARATOR);
  if (typeName === undefined || account_id === undefined || id === undefined) return undefined;
  return globalId(typeName, { account_id, id }) === text ? { typeName, account_id, id } : undefined;
}

/** Returns the local id for a local or global id. */
export function toOwnId(typeName: string, account: Account, text: string): string {
  const read = readGlobalId(text);
  return read?.typeName === typeName && read.account_id === account.id ? read.id : text;
}

/** Finds an object that the caller can read by its local id. */
type Find = (account: Account, id: string, context: Context) => Promise<object | undefined>;

const finders = new Map<string, Find>();

/** Registers how the objects of a type are found. Every `Node` type that belongs to an account needs this. */
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

/** Sets an object's `__typename`, so that GraphQL can resolve an interface. */
export function typed<Value extends object>(typeName: string, value: Value): Value {
  return Object.assign(value, { __typename: typeName });
}

/** Makes the ids of the registered types global in the schema of `/graphql`. */
export function withGlobalIds(schema: GraphQLSchema): GraphQLSchema {
  const node = schema.getType('Node');
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || !finders.has(type.name)) continue;
    const { id } = type.getFields();
    if (!id || !type.getInterfaces().some(is => is === node)) throw new Error(`${type.name} is no Node`);
    const value = (account_id: string, id: string) => globalId(type.name, { account_id, id });
    id.resolve = ({ account_id, id }) => value(account_id, id);
    id.extensions = { ...id.extensions, ofRow: { columns: ['account_id', 'id'], value } };
    id.description = 'Opaque identifier, unique among all objects of all accounts.';
  }
  return schema;
}
