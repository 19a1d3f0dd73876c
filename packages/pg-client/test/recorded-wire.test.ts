import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  BOUND,
  column,
  DONE,
  describeColumns,
  failWith,
  message,
  PARSED,
  PREPARED,
  READY,
  RESULT,
  readSent,
  row,
} from '../../../test/support/server-stream.ts';
import type { Preparation } from '../src/database.ts';
import type { ServerError } from '../src/driver/errors.ts';
import type { Parameter } from '../src/driver/parameters.ts';
import type { Rows } from '../src/driver/rows.ts';
import { type Reader, ServerMessages } from '../src/driver/server-messages.ts';
import { Wire } from '../src/driver/wire.ts';

/** Records what the client sends and returns in conversations with a simulated server. */

class Conversation {
  readonly lines: string[] = [];
  readonly wire: Wire;
  readonly #messages: ServerMessages;

  constructor() {
    this.wire = new Wire({ write: bytes => void this.lines.push(`> ${readSent(bytes)}`) });
    const reader: Reader = {
      read: (...message) => this.wire.read(...message),
      flush: () => this.wire.flush(),
    };
    this.#messages = new ServerMessages(reader);
  }

  /** Sends a statement, whose result is noted. */
  run(
    name: string,
    text: string,
    prepare: Preparation,
    parameters: readonly Parameter[] = [],
    give = false,
  ): void {
    const note = (how: string) => void this.lines.push(`${name}: ${how}`);
    const rest = give ? [(rows: Rows) => note(`gives ${JSON.stringify(rows.objects())}`)] : [];
    this.wire.run(text, parameters, prepare, ...rest).then(
      rows => note(JSON.stringify(rows.length > 0 ? rows.objects() : [])),
      (error: ServerError) => note(`${error.name} ${error.message} ${error.code ?? ''}`.trim()),
    );
  }

  /** Receives the messages in one chunk, after everything was sent. */
  async receive(...messages: Buffer[]): Promise<void> {
    await nextTurn();
    try {
      this.#messages.take(Buffer.concat(messages));
    } catch (error) {
      this.lines.push(`refuses: ${(error as Error).message}`);
      this.wire.fail(error as Error);
    }
    await nextTurn();
  }
}

const STALE = 'RevalidateCachedQuery';

const CONVERSATIONS: Record<string, (to: Conversation) => Promise<void>> = {
  async 'a statement is parsed once, also for runs of the same turn'(to) {
    to.run('one', 'select a', true, ['x', null, 1, false, ['a"\\', '']]);
    to.run('two', 'select a', true, [true]);
    await to.receive(...PREPARED, ...RESULT, ...RESULT);
    to.run('three', 'select a', true);
    await to.receive(...RESULT);
    to.run('four', 'select b', true);
    await to.receive(PARSED, message('n'), BOUND, message('I'), READY);
  },
  async 'a statement that is not prepared has no name'(to) {
    for (const name of ['one', 'two']) {
      to.run(name, 'select a', false);
      await to.receive(...PREPARED, ...RESULT);
    }
  },
  async 'the plan mode is set when it changes'(to) {
    to.run('custom', 'select a', true);
    await to.receive(...PREPARED, ...RESULT);
    to.run('planned', 'select a', 'planned');
    await to.receive(...PREPARED, ...RESULT, ...RESULT);
    to.run('planned', 'select a', 'planned');
    await to.receive(...RESULT);
    to.run('unprepared', 'select a', false);
    await to.receive(...PREPARED, ...RESULT);
    to.run('custom', 'select a', true);
    await to.receive(...RESULT, ...RESULT);
  },
  async 'the plan mode is set again after it could not be set'(to) {
    to.run('planned', 'select a', 'planned');
    await to.receive(PARSED, failWith('42501'), READY, ...PREPARED, ...RESULT);
    to.run('planned', 'select a', 'planned');
    await to.receive(...RESULT, ...RESULT);
  },
  async 'a stale statement is prepared again, once'(to) {
    to.run('first', 'select a', true);
    await to.receive(...PREPARED, ...RESULT);
    to.run('stale', 'select a', true, ['p']);
    to.run('next', 'select a', true);
    await to.receive(failWith('0A000', STALE), READY, failWith('0A000', STALE), READY);
    await to.receive(message('3'), ...PREPARED, ...RESULT, message('3'), ...PREPARED, ...RESULT);
    to.run('later', 'select a', true);
    await to.receive(...RESULT);
    to.run('gone', 'select a', true);
    await to.receive(failWith('26000', 'FetchPreparedStatement'), READY);
    await to.receive(message('3'), PARSED, failWith('26000', 'FetchPreparedStatement'), READY);
    to.run('new', 'select a', true);
    await to.receive(...PREPARED, ...RESULT);
  },
  async 'a statement that cannot be parsed is parsed again later'(to) {
    to.run('wrong', 'selec', true);
    to.run('same', 'selec', true);
    to.run('other', 'select a', true);
    await to.receive(
      failWith('42601', 'scanner_yyerror'),
      READY,
      failWith('26000', ''),
      READY,
      ...PREPARED,
      ...RESULT,
    );
    to.run('again', 'selec', true);
    await to.receive(...PREPARED, ...RESULT);
  },
  async 'a failed statement stays prepared'(to) {
    to.run('fails', 'select a', true);
    await to.receive(...PREPARED, BOUND, row('x'), failWith('22012'), READY);
    to.run('again', 'select a', true);
    await to.receive(...RESULT);
  },
  async 'rows after an error are ignored, and a second error replaces the first'(to) {
    to.run('one', 'select a', false);
    to.run('two', 'select a', false);
    await to.receive(
      ...PREPARED,
      failWith('22012'),
      row('x'),
      failWith('57014'),
      READY,
      ...PREPARED,
      ...RESULT,
    );
  },
  async 'a column of an unknown type fails its statement only'(to) {
    to.run('xml', 'select x', true);
    to.run('other', 'select a', true);
    await to.receive(
      PARSED,
      describeColumns(column('x', 142)),
      BOUND,
      row('y'),
      DONE,
      READY,
      ...PREPARED,
      ...RESULT,
    );
    to.run('xml', 'select x', true);
    await to.receive(message('3'), ...PREPARED, ...RESULT);
  },
  async 'messages that can arrive at any time are ignored'(to) {
    await to.receive(message('N', 'x'), message('S', 'a\0b\0'), message('3'), failWith('57P01'));
    to.run('one', 'select a', false);
    const any = [message('N', 'x'), message('S', 'a\0b\0'), message('3')];
    await to.receive(
      any[0]!,
      ...PREPARED,
      any[1]!,
      BOUND,
      any[2]!,
      row('x'),
      message('3'),
      DONE,
      any[0]!,
      READY,
    );
  },
  async 'rows are given as they arrive'(to) {
    to.run('given', 'select a', false, [], true);
    await to.receive(...PREPARED, BOUND);
    await to.receive(row('one'), row('two'));
    await to.receive(row('three'));
    await to.receive(row(null), DONE, READY);
    to.run('none', 'select a', false, [], true);
    await to.receive(...PREPARED, BOUND, DONE, READY);
    to.run('fails', 'select a', false, [], true);
    await to.receive(...PREPARED, BOUND, row('one'));
    await to.receive(row('two'), failWith('57014'), READY);
  },
  async 'an empty statement has no rows'(to) {
    to.run('empty', '', false);
    await to.receive(PARSED, message('n'), BOUND, message('I'), READY);
  },
  async 'all statements fail with their connection'(to) {
    to.run('one', 'select a', true);
    to.run('two', 'select b', true);
    to.wire.fail(new Error('the connection was lost'));
    await to.receive();
    await to.receive(...PREPARED);
  },
  async 'a statement that cannot be sent leaves the others'(to) {
    to.run('one', 'select a', true);
    to.run('wrong', 'select b', true, [undefined as never, [7] as never]);
    to.run('two', 'select b', true);
    await to.receive(...PREPARED, ...RESULT, ...PREPARED, ...RESULT);
  },
  async 'much is sent before the end of the turn'(to) {
    to.run('long', 'select a', true, ['x'.repeat(17_000)]);
    to.run('short', 'select a', true, ['é']);
    to.lines.push('the turn ends');
    await to.receive(...PREPARED, ...RESULT, ...RESULT);
  },
};

it('statements are sent and answered as recorded', async () => {
  const blocks: string[] = [];
  for (const [name, converse] of Object.entries(CONVERSATIONS)) {
    const conversation = new Conversation();
    await converse(conversation);
    blocks.push([`=== ${name}`, ...conversation.lines].join('\n'));
  }
  await expect(`${blocks.join('\n\n')}\n`).toMatchFileSnapshot('./recorded/wire.txt');
});
