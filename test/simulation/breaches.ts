import { historyOf } from './history.ts';
import { type Played, play } from './play.ts';
import { PROMISES } from './promises.ts';

/** A promise that a history has broken. */
export interface Breach {
  promise: string;
  seed: number;
  how: string;
}

export function breachesOf(played: Played): Breach[] {
  return Object.entries(PROMISES).flatMap(([promise, isKept]) => {
    const how = isKept(played);
    return how ? [{ promise, seed: played.history.seed, how }] : [];
  });
}

/** Plays a history. */
export async function breaches(seed: number): Promise<Breach[]> {
  return breachesOf(await play(historyOf(seed)));
}
