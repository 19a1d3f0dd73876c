import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  BOUND,
  column,
  describeColumns,
  failWith,
  int,
  message,
  PARSED,
  READY,
  readSent,
  row,
  TEXT,
  toPlain,
} from '../../../test/support/server-stream.ts';
import { CommandSession } from '../src/command/session.ts';
import type { Session } from '../src/dial/dial.ts';
import { MessageBuffer, PASSWORD } from '../src/driver/outgoing.ts';
import { ServerMessages } from '../src/driver/server-messages.ts';

/** A session of a command, with the messages that it sends. */
function startSession() {
  const lines: string[] = [];
  const transport = {
    lost: undefined as Error | undefined,
    onLost: (_: Error) => {},
    write: (bytes: Buffer) => void lines.push(`> ${readSent(bytes)}`),
    send: async (head: Buffer, bytes: Buffer) =>
      void lines.push(`> ${readSent(Buffer.concat([head, bytes]))}`),
    lose(error: Error) {
      transport.lost ??= error;
      lines.push(`closes: ${error.message}`);
      transport.onLost(error);
    },
  };
  const messages = new ServerMessages({ read() {}, flush() {} });
  const session = new CommandSession({ transport, messages } as unknown as Session);
  const note = (name: string, answer: Promise<unknown>) =>
    void answer.then(
      result => lines.push(`${name}: ${JSON.stringify(result) ?? 'done'}`),
      (error: Error) => lines.push(`${name}: ${error.name} ${error.message}`),
    );
  const receive = async (...chunks: Buffer[]) => {
    await nextTurn();
    try {
      messages.take(Buffer.concat(chunks));
    } catch (error) {
      lines.push(`refuses: ${(error as Error).message}`);
    }
    await nextTurn();
  };
  return { session, transport, lines, note, receive };
}

it('commands are sent and answered as recorded', async () => {
  const { session, transport, lines, note, receive } = startSession();
  const tag = (text: string) => message('C', `${text}\0`);
  note('simple', session.query('select 1; select 2'));
  note('waits', session.query('select $1', ['p', null]));
  await receive(
    describeColumns(column('a', 23)),
    row('1'),
    tag('SELECT 1'),
    describeColumns(column('b', 16), column('c', 25)),
    row('t', null),
    tag('SELECT 1'),
    READY,
  );
  await receive(PARSED, message('t', int(0, 2)), TEXT, BOUND, row('ä'), tag('SELECT 1'), READY);
  note('count', session.count('update a'));
  await receive(message('N', 'notice'), message('S', 'a\0b\0'), tag('UPDATE 3'), READY);
  note('inserted', session.count('insert'));
  await receive(tag('INSERT 0 12'), READY);
  note('empty', session.query(''));
  await receive(message('I'), READY);
  note('fails', session.query('select 1/0'));
  note('after it', session.query('select 1'));
  await receive(TEXT, row('x'), failWith('22012'), failWith('57014'), READY);
  await receive(tag('SELECT 0'), READY);
  note('commit', session.commit());
  await receive(tag('COMMIT'), READY);
  note('rolled back', session.commit());
  await receive(tag('ROLLBACK'), READY);
  note('copy', session.copy('copy a from stdin', [Buffer.from('one\n'), Buffer.from('two\n')]));
  await receive(message('G', int(0, 1), int(0, 2)));
  await receive(tag('COPY 2'), READY);
  function* broken() {
    yield Buffer.from('one\n');
    throw new Error('no such row');
  }
  note('broken copy', session.copy('copy a from stdin', broken()));
  await receive(message('G', int(0, 1), int(0, 2)));
  await receive(failWith('57014'), READY);
  function* refused() {
    yield Buffer.from('one\n');
    yield Buffer.from('two\n');
    yield Buffer.from('three\n');
  }
  note('refused copy', session.copy('copy a from stdin', refused()));
  await receive(message('G', int(0, 1), int(0, 2)), failWith('22P02'), READY);
  note('after the copy', session.query('select 1'));
  await receive(tag('SELECT 0'), READY);
  await receive(message('N', 'x'), failWith('57P01'));
  await receive(READY);
  lines.push(`is lost: ${session.isLost}`);
  note('pending', session.query('select pg_sleep(1)'));
  note('behind', session.query('select 2'));
  await nextTurn();
  session.end();
  session.end();
  await nextTurn();
  note('late', session.query('select 3'));
  await nextTurn();
  lines.push(`is lost: ${session.isLost} ${transport.lost?.name}`);
  const other = startSession();
  other.note('reported', other.session.query('select 1'));
  await other.receive(failWith('57P01', '', 'FATAL'));
  other.transport.lose(new Error('reset'));
  await nextTurn();
  other.note('reset', other.session.query('select 1'));
  await nextTurn();
  await expect(`${[...lines, '', ...other.lines].join('\n')}\n`).toMatchFileSnapshot(
    './recorded/commands.txt',
  );
});

it('short rows of a COPY are sent with the next long ones or with its end, and none after a refusal', async () => {
  const { session, lines, note, receive } = startSession();
  const copy = (...texts: string[]) => note('copy', session.copy('copy', texts.map(Buffer.from)));
  const shorten = () => lines.splice(0).map(line => line.replaceAll(/x+… (\d+) bytes/g, '<$1>'));
  // The five bytes before a piece count as well.
  const most = 'x'.repeat(16_384 - 'one'.length - 5);
  copy('one', most, 'two', 'three');
  await receive(message('G', int(0, 1), int(0, 2)));
  expect(shorten()).toEqual(['> Q(copy·)', `> d(one) d(<${most.length}>) d(two)`, '> d(three) c()']);
  await receive(READY);
  copy('one', `${most}x`, 'two', most);
  await receive(message('G', int(0, 1), int(0, 2)), failWith('22P02'), READY);
  expect(shorten()).toEqual(['copy: done', '> Q(copy·)', 'copy: PostgresError it failed']);
  note('next', session.query('next'));
  await receive(READY);
  expect(shorten()).toEqual(['> Q(next·)', 'next: []']);
});

it('messages to the server are written as recorded', async () => {
  const long = 'ß€'.repeat(1500);
  const written: Record<string, Buffer> = {
    'request for TLS': new MessageBuffer().sslRequest().take(),
    startup: new MessageBuffer().startup({ user: 'ann', database: 'päge', options: '' }).take(),
    password: new MessageBuffer().message(PASSWORD, 'geheim').take(),
    'no text': new MessageBuffer().message(PASSWORD).take(),
    'two texts': new MessageBuffer().message(PASSWORD, 'a', 'b').take(),
    'first SASL': new MessageBuffer().sasl('n,,n=,r=é', 'SCRAM-SHA-256').take(),
    'next SASL': new MessageBuffer().sasl('c=biws').take(),
  };
  const buffer = new MessageBuffer();
  buffer.message(PASSWORD, 'kept');
  const { length } = buffer;
  buffer.prepare('s1', long);
  const whole = buffer.length;
  buffer.cut(length);
  written['after a cut'] = buffer.take();
  buffer.prepare('s1', long);
  buffer.execute('s1', [long, 'x'], 0);
  const grown = buffer.take();
  const texts = [grown.indexOf(long), grown.lastIndexOf(long), grown.length, whole, buffer.length];
  const lines = Object.entries(written).map(([name, bytes]) => `${name}: ${toPlain(bytes)}`);
  await expect(`${[...lines, `long texts at ${texts.join(' ')}`].join('\n')}\n`).toMatchFileSnapshot(
    './recorded/sent-messages.txt',
  );
});
