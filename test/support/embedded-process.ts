import type * as Start from '@sightline/embedded';
import { connectOperator } from './operator.ts';

/**
 * A separate process that starts the embedded database, so that tests can kill it. Arguments: the data folder and,
 * optionally, another copy of the package. Prints one line of JSON: `{ url, created }` or `{ error, message }`. SIGTERM
 * and SIGINT stop the database; SIGINT first runs a query and prints the result.
 */
const [directory = '', start = './embedded-start.js'] = process.argv.slice(2);
const { startEmbedded }: typeof Start = await import(start);

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

try {
  const { url, created, stop } = await startEmbedded({ directory, settings: { fsync: 'off' } });
  const alive = setInterval(() => {}, 1000);
  process.once('SIGTERM', async () => {
    await stop();
    clearInterval(alive);
  });
  process.once('SIGINT', async () => {
    const sql = connectOperator(url);
    print(await sql`select 'alive' as answer`);
    await sql.end();
    await stop();
    clearInterval(alive);
  });
  print({ url, created });
} catch (error) {
  print({ error: (error as Error).name, message: (error as Error).message });
}
