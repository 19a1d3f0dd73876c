import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** Names and their IPv4 or IPv6 addresses, or the names of addresses. */
type Answers = Readonly<Record<string, string | readonly string[]>>;

/**
 * Starts a DNS server and returns its address.
 * @param held the number of questions that wait before they are answered together
 * @param asked receives each question's name, and how many questions wait
 */
export async function dnsServer(
  answers: Answers,
  held = 1,
  asked: (name: string, waiting: number) => void = () => {},
): Promise<string> {
  const socket = createSocket('udp4');
  const waiting: (() => void)[] = [];
  socket.on('message', (question, { port, address }) => {
    waiting.push(() => socket.send(answerTo(question, answers), port, address));
    asked(readName(question).name, waiting.length);
    if (waiting.length >= held)
      setImmediate(() => {
        for (const answer of waiting.splice(0)) answer();
      });
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

/** Returns the name of a question, and its end. */
function readName(question: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let end = 12;
  for (let length = question[end]!; length > 0; length = question[end]!) {
    labels.push(question.toString('latin1', end + 1, end + 1 + length));
    end += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end };
}

/** RFC 1035, section 4.1. */
function answerTo(question: Buffer, answers: Answers): Buffer {
  const { name, end } = readName(question);
  const existing = [answers[name] ?? []].flat();
  const questionBytes = question.subarray(12, end + 5);
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(existing.length === 0 ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(existing.length, 6);
  head.fill(0, 8);
  const records = existing.map(value => {
    const data = toData(value);
    // The queried name, the type and class of the question, a TTL of one minute, and the address.
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    questionBytes.copy(record, 2, questionBytes.length - 4);
    record.writeUInt32BE(60, 6);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, questionBytes, ...records]);
}

/** Encodes an address or a name. An IPv6 address must have all of its groups. */
function toData(value: string): Buffer {
  if (/^[\d.]+$/.test(value)) return Buffer.from(value.split('.').map(Number));
  if (value.includes(':'))
    return Buffer.from(
      value
        .split(':')
        .map(group => group.padStart(4, '0'))
        .join(''),
      'hex',
    );
  const labels = value.split('.').map(label => Buffer.from(`${String.fromCharCode(label.length)}${label}`));
  return Buffer.concat([...labels, Buffer.alloc(1)]);
}
