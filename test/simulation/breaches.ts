import { readHistory } from './history.ts';
import { type PlayResult, play } from './play.ts';
import { PROMISES } from './promises.ts';

/** A promise that was broken in a history. */
export interface Breach {
  promise: string;
  seed: number;
  how: string;
}

export function getBreaches(played: PlayResult): Breach[] {
  return Object.entries(PROMISES).flatMap(([promise, holds]) => {
    const how = holds(played);
    return how ? [{ promise, seed: played.history.seed, how }] : [];
  });
}

/** Plays a history. */
export async function breaches(seed: number): Promise<Breach[]> {
  return getBreaches(await play(readHistory(seed)));
}
