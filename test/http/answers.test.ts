import { expect, it, vi } from 'vitest';
import { CachedAnswer } from '../../src/http/answers.ts';

const create = () => {
  const release = vi.fn();
  const answer = new CachedAnswer({ pieces: [Buffer.from('{"a":1}')], release } as never);
  return { answer, release };
};

it('the buffer of a cached answer is released after the cache and every reply have dropped it', async () => {
  const { answer, release } = create();
  const [first, second] = [await answer.reply({}, undefined), await answer.reply({}, undefined)];
  expect([first.body, second.body]).toEqual([[Buffer.from('{"a":1}')], [Buffer.from('{"a":1}')]]);
  first.onSent!();
  answer.drop();
  expect(release).not.toHaveBeenCalled();
  second.onSent!();
  expect(release).toHaveBeenCalledTimes(1);
});

it('the buffer of a cached answer is kept between replies while it is in the cache', async () => {
  const { answer, release } = create();
  for (let times = 0; times < 2; times++) (await answer.reply({}, undefined)).onSent!();
  expect(release).not.toHaveBeenCalled();
  answer.drop();
  expect(release).toHaveBeenCalledTimes(1);
});
