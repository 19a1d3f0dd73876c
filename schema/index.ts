import { type GraphQLSchema, isObjectType } from 'graphql';
import './scalars.ts';
import './account.ts';
import './filters.ts';
import './reports.ts';
import './analytics.ts';
import './policies.ts';
import './watches.ts';
import './certificates.ts';
import './audit.ts';
import { builder } from './builder.ts';

/** What SOFA maps onto `/v1`. Its fields stay in the order in which they are declared: it is that of the bodies. */
export const restSchema = withDefaultResolvers(builder.toSchema({ subGraph: 'rest', sortSchema: false }));

/** What `/graphql` shows. */
export const graphSchema = withDefaultResolvers(builder.toSchema({ subGraph: 'graph', sortSchema: false }));

/**
 * A field that shows a property of its own name needs no resolver: that is what GraphQL does by itself, and an
 * executor can then read the property in place instead of calling a function for each of a thousand records.
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
