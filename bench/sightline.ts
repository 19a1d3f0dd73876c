import { Session } from 'node:inspector/promises';
import { run } from '../src/cli/index.ts';

/**
 * The command line in its production form, which a checkout's `bin/sightline.js` does not run. On request of its
 * parent, it records a profile or reports its memory.
 */
export type ProfileRequest = 'startProfile' | 'endProfile';

/** Peak memory in MB and processor time in seconds. */
export interface ProcessUsage {
  peak: number;
  cpu: number;
}

const session = new Session();

process.on('message', async (request: ProfileRequest) => {
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
// For `serve`, nothing is printed, since the service has only started at this point.
if (process.argv[2] !== 'serve') printUsage();

function printUsage(): void {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage: ProcessUsage = { peak: maxRSS / 1024, cpu: (userCPUTime + systemCPUTime) / 1e6 };
  process.send?.(usage);
}
