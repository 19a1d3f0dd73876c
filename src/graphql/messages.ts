import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from '@sightline/json';
import type { Outcome } from './outcome.ts';

export interface GraphQLRequest {
  method: string;
  /** Path and query, as they were sent. */
  target: string;
  headers: IncomingHttpHeaders;
  /** Empty for a GET. */
  body: Buffer;
}

export interface GraphQLReply {
  status: number;
  headers: Record<string, string>;
  body: Json;
  /** The name of the operation; undefined where the request could not be read. */
  outcome?: Outcome;
}
