import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { type CacheExchangeOpts, cacheExchange } from '@urql/exchange-graphcache';
import { introspectionFromSchema } from 'graphql';
import compiler from 'relay-compiler';
import {
  createOperationDescriptor,
  Environment,
  fetchQuery,
  type GraphQLTaggedNode,
  Network,
  RecordSource,
  Store,
} from 'relay-runtime';
import keylessTypes from '../../packages/client/keyless-types.json' with { type: 'json' };
import possibleTypes from '../../packages/client/possible-types.json' with { type: 'json' };
import { graphSchema } from '../../schema/index.ts';
import type { TestService } from './service.ts';

type Variables = Record<string, unknown>;

/** A GraphQL client that caches objects by their ids. */
export interface CachingClient {
  /** Runs a query. */
  ask(name: string, variables?: Variables): Promise<void>;
  /** The cached result of an earlier query. */
  cached(name: string, variables?: Variables): Promise<unknown>;
}

/** Documents by name. The names end in `Query`, as Relay requires. */
export type Documents = Readonly<Record<string, string>>;

type OpenClient = (service: TestService, key: string, documents: Documents) => Promise<CachingClient>;

const address = ({ url }: TestService) => `${url}/graphql`;
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

async function apollo(service: TestService, key: string, documents: Documents): Promise<CachingClient> {
  const client = new ApolloClient({
    cache: new InMemoryCache({ possibleTypes }),
    link: new HttpLink({ uri: address(service), headers: bearer(key) }),
  });
  return {
    async ask(name, variables = {}) {
      await client.query({ query: gql(documents[name]!), variables, fetchPolicy: 'network-only' });
    },
    cached: async (name, variables = {}) => client.readQuery({ query: gql(documents[name]!), variables }),
  };
}

/** Objects without an id belong to others, which Graphcache needs to know. */
const KEYS = Object.fromEntries(keylessTypes.map(name => [name, () => null]));

async function urql(service: TestService, key: string, documents: Documents): Promise<CachingClient> {
  const client = new Client({
    url: address(service),
    preferGetMethod: false,
    fetchOptions: { headers: bearer(key) },
    exchanges: [cacheExchange({ schema: introspection(), keys: KEYS }), fetchExchange],
  });
  const run = async (name: string, variables: Variables, requestPolicy: 'network-only' | 'cache-only') => {
    const { data, error } = await client.query(documents[name]!, variables, { requestPolicy }).toPromise();
    if (error) throw error;
    return data;
  };
  return {
    async ask(name, variables = {}) {
      await run(name, variables, 'network-only');
    },
    cached: (name, variables = {}) => run(name, variables, 'cache-only'),
  };
}

function introspection() {
  return introspectionFromSchema(graphSchema) as NonNullable<CacheExchangeOpts['schema']>;
}

async function relay(service: TestService, key: string, documents: Documents): Promise<CachingClient> {
  const artifact = await compileForRelay(documents);
  const environment = new Environment({
    store: new Store(new RecordSource()),
    network: Network.create(async ({ text }, variables) => {
      const response = await fetch(address(service), {
        method: 'POST',
        headers: { ...bearer(key), 'content-type': 'application/json' },
        body: JSON.stringify({ query: text, variables }),
      });
      return response.json();
    }),
  });
  return {
    async ask(name, variables = {}) {
      await fetchQuery(environment, artifact(name), variables).toPromise();
    },
    async cached(name, variables = {}) {
      const operation = createOperationDescriptor(artifact(name) as never, variables);
      return environment.lookup(operation.fragment).data;
    },
  };
}

const CONFIGURATION = {
  src: './src',
  schema: './schema.graphql',
  language: 'javascript',
  eagerEsModules: false,
  artifactDirectory: './made',
};

/** Relay's compiler reads modules and writes one for each document. */
async function compileForRelay(documents: Documents): Promise<(name: string) => GraphQLTaggedNode> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-relay-'));
  try {
    await Promise.all(['src', 'made'].map(name => mkdir(join(folder, name))));
    const files = {
      'package.json': '{"type":"commonjs"}',
      'relay.config.json': JSON.stringify(CONFIGURATION),
      'schema.graphql': await readFile(new URL('../../schema/schema.graphql', import.meta.url), 'utf8'),
      ...Object.fromEntries(
        Object.entries(documents).map(([name, text]) => [
          `src/${name.replace(/Query$/, '')}.js`,
          `graphql\`${text}\`;`,
        ]),
      ),
    };
    await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
    await promisify(execFile)(compiler, ['relay.config.json'], { cwd: folder });
    const require = createRequire(join(folder, 'package.json'));
    const made = new Map(Object.keys(documents).map(name => [name, require(`./made/${name}.graphql.js`)]));
    return name => made.get(name);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export const CLIENTS: Readonly<Record<string, OpenClient>> = {
  "Apollo's InMemoryCache": apollo,
  "urql's Graphcache": urql,
  "Relay's compiler and store": relay,
};
