import { type Load, readOnce, runLoad } from './load-client.ts';
import { type Pace, runPaced } from './paced-client.ts';

/** A task for a load generator, which replies with the result or with `{ error }`. */
export type Job =
  | ({ kind: 'load' } & Load)
  | ({ kind: 'paced' } & Pace)
  | { kind: 'read'; port: number; request: string }
  /** Keeps this many requests in flight until the time is over. The result is the number of responses. */
  | { kind: 'readers'; port: number; request: string; readers: number; seconds: number };

process.on('message', (job: Job) => {
  work(job).then(
    result => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});

async function work(job: Job): Promise<unknown> {
  switch (job.kind) {
    case 'load':
      return runLoad(job);
    case 'paced':
      return runPaced(job);
    case 'read':
      return readOnce(job.port, job.request);
    case 'readers':
      return runReaders(job);
  }
}

async function runReaders({ port, request, readers, seconds }: Job & { kind: 'readers' }): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let read = 0;
  await Promise.all(
    Array.from({ length: readers }, async () => {
      while (performance.now() < until) {
        await readOnce(port, request);
        read++;
      }
    }),
  );
  return read;
}
