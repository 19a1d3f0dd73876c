import { Session } from 'node:inspector/promises';
import { run } from '../src/cli/index.ts';

/**
 * The command line in its production form, which a checkout's `bin/sightline.js` does not run. Over the channel to
 * the process that started it, it profiles itself and says how much memory it took.
 */
export type Request = 'startProfile' | 'endProfile';

/** MB, and seconds of processor time. */
export interface Usage {
  peak: number;
  cpu: number;
}

const session = new Session();

process.on('message', async (request: Request) => {
  if (request === 'startProfile') {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 200 });
    await session.post('Profiler.start');
    process.send?.('started');
  } else if (request === 'endProfile') {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    process.send?.(profile);
  }
});
process.channel?.unref();

process.exitCode = await run(process.argv.slice(2), 'bench');
// A service has only begun by now.
if (process.argv[2] !== 'serve') tellUsage();

function tellUsage(): void {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage: Usage = { peak: maxRSS / 1024, cpu: (userCPUTime + systemCPUTime) / 1e6 };
  process.send?.(usage);
}
