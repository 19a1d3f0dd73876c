/** Returns the milliseconds of the fastest of five rounds. */
export async function measureFastest(ask: (round: number) => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    await ask(round);
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}
