// PostGraphile over the functions of functions.sql. Plain JavaScript: its packages are not among the project's.
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

const [connectionString, port] = process.argv.slice(2);

const preset = {
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString, schemas: ['bench_graphql'], poolConfig: { max: 4 } })],
  grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false },
  grafast: { explain: false },
};

const server = createServer();
await postgraphile(preset).createServ(grafserv).addTo(server);
server.listen(Number(port), '127.0.0.1');
