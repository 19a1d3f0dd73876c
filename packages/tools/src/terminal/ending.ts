const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Runs work with an abort signal that SIGTERM and SIGINT abort. */
export async function untilEnded<Answer>(work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const name of SIGNALS) process.on(name, end);
  try {
    return await work(ending.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, end);
  }
}
