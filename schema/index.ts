import { PothosSubGraphPlugin } from '@pothos/plugin-sub-graph';
import { GraphQLSchema, isObjectType } from 'graphql';
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
import './watches.ts';
import './script-authorisations.ts';
import './certificates.ts';
import './audit.ts';
import './signs/field.ts';
import { builder } from './builder.ts';
import { withGlobalIds } from './global-ids.ts';

/** Every type and field. Making it is most of the work, so that it is made once. */
const whole = builder.toSchema({ sortSchema: false });

/**
 * The schema that SOFA maps onto `/v1`. Its fields stay in the order in which they are declared: it is that of the
 * bodies.
 */
export const restSchema = withDeclaredOrder(withDefaultResolvers(partOf('rest')));

/** The schema of `/graphql`. */
export const graphSchema = withGlobalIds(withDefaultResolvers(fromQueryOn(partOf('graph'))));

function partOf(subGraph: 'rest' | 'graph'): GraphQLSchema {
  return PothosSubGraphPlugin.createSubGraph(whole, subGraph, builder);
}

/** Interfaces put their fields before the type's own: a type with another order says so in `fieldOrder`. */
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

/** The types in the order in which they are reached from Query, for those who read the printed schema. */
function fromQueryOn(schema: GraphQLSchema): GraphQLSchema {
  return new GraphQLSchema({ ...schema.toConfig(), types: [] });
}

/**
 * A field that shows a property of its own name needs no resolver: that is what GraphQL does by itself. An executor
 * can then read the property in place, and calls no function for each of a thousand records.
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
