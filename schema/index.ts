import { PothosSubGraphPlugin } from '@pothos/plugin-sub-graph';
import { GraphQLEnumType, GraphQLSchema, isEnumType, isObjectType } from 'graphql';
import './scalars.ts';
import './account.ts';
import './filters.ts';
import './reports.ts';
import './any-reports.ts';
import './report-groups.ts';
import './analytics.ts';
import './policies.ts';
import './policy-replay.ts';
import './policy-suggestion.ts';
import './finding-groups.ts';
import './connection-allowlist.ts';
import './watches.ts';
import './team-verdicts.ts';
import './dmarc-replay.ts';
import './mta-sts-replay.ts';
import './certificates.ts';
import './audit.ts';
import './insights/field.ts';
import './mail-readiness.ts';
import { builder } from './builder.ts';
import { withGlobalIds } from './global-ids.ts';

/** The schema with every type and field. Built once, because this is the most expensive step. */
const whole = builder.toSchema({ sortSchema: false });

/**
 * The schema that SOFA maps onto `/v1`. Its fields stay in the order of declaration, which becomes that of the response
 * bodies.
 */
export const restSchema = withDeclaredOrder(withDefaultResolvers(toSubschema('rest')));

/** The schema of `/graphql`. */
export const graphSchema = withGlobalIds(withDefaultResolvers(fromQueryOn(toSubschema('graph'))));

function toSubschema(subGraph: 'rest' | 'graph'): GraphQLSchema {
  const config = whole.toConfig();
  const types = config.types.map(type => (isEnumType(type) ? withEnumValues(type, subGraph) : type));
  // The plugin omits types and fields but not enum values. It uses the given types by name, so the enums are replaced
  // here.
  const chosen = { toConfig: () => ({ ...config, types }) } as unknown as GraphQLSchema;
  return PothosSubGraphPlugin.createSubGraph(chosen, subGraph, builder);
}

/** Removes the enum values that the subgraph does not contain. Returns the type unchanged if there are none. */
function withEnumValues(type: GraphQLEnumType, subGraph: string): GraphQLEnumType {
  const config = type.toConfig();
  const values = Object.entries(config.values);
  const own = values.filter(([, { extensions }]) => isIn(subGraph, extensions?.subGraphs));
  return own.length === values.length
    ? type
    : new GraphQLEnumType({ ...config, values: Object.fromEntries(own) });
}

function isIn(subGraph: string, subGraphs: unknown): boolean {
  return !Array.isArray(subGraphs) || subGraphs.includes(subGraph);
}

/**
 * Restores the declared order: Pothos puts the fields of interfaces first, and a type with another order declares it as
 * `fieldOrder`.
 */
function withDeclaredOrder(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    const fields = type.getFields();
    for (const name of (type.extensions.fieldOrder ?? []) as string[]) {
      const field = fields[name]!;
      delete fields[name];
      fields[name] = field;
    }
  }
  return schema;
}

/** Orders the types as Query reaches them, for readers of the printed schema. */
function fromQueryOn(schema: GraphQLSchema): GraphQLSchema {
  return new GraphQLSchema({ ...schema.toConfig(), types: [] });
}

/**
 * Removes resolvers that only return the property of the same name, as GraphQL's default resolver does. An executor can
 * then read the property directly instead of calling a function for each of a thousand records.
 */
function withDefaultResolvers(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.extensions.pothosExposedField === field.name) delete field.resolve;
    }
  }
  return schema;
}
