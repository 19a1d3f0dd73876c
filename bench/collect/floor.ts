import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The minimum work for accepting a report: `node:http` appends the body to a file and answers 204. */
const file = createWriteStream(process.argv[2]!, { flags: 'a' });
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', chunk => chunks.push(chunk));
  request.on('end', () => {
    file.write(Buffer.concat(chunks));
    file.write('\n');
    response.writeHead(204, { 'Access-Control-Allow-Origin': '*' }).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
