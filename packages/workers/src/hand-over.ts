import type { Worker } from 'node:cluster';

/** A message of Node's cluster with a connection, or the answer to it: Node 20 to 26 name them so. */
interface Message {
  act?: string;
  seq?: number;
  ack?: number;
}

/** Processes that connections are handed to. */
const listening = new Set<Worker>();

/**
 * Sees to it that no connection is lost with the process that it was being handed to. Node waits until that process
 * says that it has it. If it ends before, Node waits for ever, and so does the client; nor does it ever notice then
 * that the process is disconnected. So both are said here in its place, and Node hands the connection to another
 * process.
 *
 * Node documents none of these messages. Where it has others, it does as it does without this.
 * @param onUnknown called where a connection is handed over by another message than this knows
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
    // Messages from before its end have to be read first.
    if (child.connected) return void setImmediate(ended);
    listening.delete(worker);
    if (!isDisconnected) child.emit('disconnect');
    if (untaken === undefined) return;
    // Nothing was read from the connection yet, so another can take it. Where there is none, Node closes what was
    // taken.
    const accepted = listening.size === 0;
    child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: untaken, accepted });
  };
  child.once('exit', ended);
}
