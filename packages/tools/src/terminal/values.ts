import { InvalidArgumentError } from 'commander';
import { DURATION_FORMAT, parseDuration } from './duration.ts';

/** Parses the URL of a service. */
export function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash;
  const isService = isPlain && /^https?:$/.test(url.protocol);
  if (!isService) throw new InvalidArgumentError('Give it as https://reports.example.com, without a key.');
  return url;
}

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('Give a number from 0 to 65535.');
  return port;
}

export function wholeNumber(min: number, max: number): (text: string) => number {
  return text => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

/** Parses a duration of at least one millisecond. */
export function parseTime(text: string): number {
  const value = parseDuration(text);
  if (value === undefined || value < 1) throw new InvalidArgumentError(`Give ${DURATION_FORMAT}.`);
  return value;
}

/** Collects the values of an option that can be repeated. */
export const collectValues = (value: string, before: string[]): string[] => [...before, value];
