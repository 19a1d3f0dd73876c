import { expect, it, onTestFinished, vi } from 'vitest';
import { StepMeter } from '../../src/terminal/meter.ts';

function terminal(isTTY: boolean) {
  const written: string[] = [];
  const stream = { isTTY, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
  return { written, stream };
}

it('the meter shows the current step on a terminal and erases it at the end', () => {
  const { written, stream } = terminal(true);
  const meter = new StepMeter(stream);
  meter.begin('Putting 2026-01 into order');
  meter.clear();
  expect(written).toEqual(['\rPutting 2026-01 into order … 0 s\x1b[K', '\r\x1b[K']);
});

it('the meter shows the seconds since the step began', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { written, stream } = terminal(true);
  const meter = new StepMeter(stream);
  meter.begin('One');
  vi.advanceTimersByTime(2000);
  meter.begin('Two');
  vi.advanceTimersByTime(1000);
  meter.clear();
  vi.advanceTimersByTime(1000);
  const seconds = (step: string, ...times: number[]) => times.map(time => `\r${step} … ${time} s\x1b[K`);
  expect(written).toEqual([
    ...seconds('One', 0, 0, 0, 0, 1, 1, 1, 1, 2),
    ...seconds('Two', 0, 0, 0, 0, 1),
    '\r\x1b[K',
  ]);
});

it('the meter writes nothing if the output is not a terminal', () => {
  const { written, stream } = terminal(false);
  const meter = new StepMeter(stream);
  meter.begin('Putting 2026-01 into order');
  meter.clear();
  expect(written).toEqual([]);
});
