import type { Worker } from 'node:cluster';

/** An internal message of Node's cluster with a connection, or the reply to it, as named in Node 20 to 26. */
interface Message {
  act?: string;
  seq?: number;
  ack?: number;
}

/** Processes that accept connections. */
const listening = new Set<Worker>();

/**
 * Prevents the loss of a connection when the worker that should receive it ends. Node waits until the worker confirms
 * the connection. If the worker ends first, Node waits forever, as does the client, and does not notice that the worker
 * has disconnected. This code confirms both on behalf of the worker, and Node passes the connection to another one.
 * Node does not document these messages. With different messages, Node's behaviour is unchanged.
 * @param onUnknown called if a connection is passed with an unknown message
 */
export function handOnWhatIsNotTaken(worker: Worker, onUnknown: () => void): void {
  const { process: child } = worker;
  const send = child.send.bind(child) as (...message: unknown[]) => boolean;
  let untaken: number | undefined;
  let isDisconnected = false;
  child.send = (message: Message, ...rest: unknown[]) => {
    const [handle] = rest;
    if (message.act === 'newconn') untaken = message.seq;
    else if (handle) onUnknown();
    return send(message, ...rest);
  };
  child.on('internalMessage', ({ ack }: Message) => {
    if (ack === untaken) untaken = undefined;
  });
  child.once('disconnect', () => {
    isDisconnected = true;
  });
  worker.once('listening', () => listening.add(worker));
  const ended = () => {
    // Messages sent before the worker's end are read first.
    if (child.connected) return void setImmediate(ended);
    listening.delete(worker);
    if (!isDisconnected) child.emit('disconnect');
    if (untaken === undefined) return;
    // Nothing has been read from the connection yet, so another process can take it. If there are no other workers,
    // Node closes the connection only if it was accepted.
    const accepted = listening.size === 0;
    child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: untaken, accepted });
  };
  child.once('exit', ended);
}
