// Exits with 0 if a host and port accept connections.
import { connect } from 'node:net';

const [host, port] = process.argv.slice(2);
const socket = connect({ host, port: Number(port), timeout: 1000 });
const end = code => {
  socket.destroy();
  process.exit(code);
};
socket.on('connect', () => end(0));
socket.on('error', () => end(1));
socket.on('timeout', () => end(1));
