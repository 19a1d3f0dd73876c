import { type Config, httpAddress } from '../config.ts';
import { type Diagnosis, warning } from './finding.ts';

/** Time limit in milliseconds for the metrics of the local service. */
const LIMIT = 2000;

/**
 * Reads the metrics of the service on this machine, if they are enabled. It is not an error if the service is stopped.
 */
export async function checkRunning({ host, adminPort, redisUrl }: Config): Promise<Diagnosis[]> {
  // With Redis, local counts only show that Redis was unavailable at some time.
  if (adminPort === undefined || redisUrl) return [];
  const address = `${httpAddress(host, adminPort)}/metrics`;
  let text: string;
  try {
    text = await (await fetch(address, { signal: AbortSignal.timeout(LIMIT) })).text();
  } catch {
    return [];
  }
  const [, count = '0'] = /^sightline_rate_limit_local_total (\d+)/m.exec(text) ?? [];
  if (Number(count) === 0) return [];
  return [
    warning(
      'rate limit',
      `processes counted ${count} requests by themselves, because their parent process did not`,
      'restart the service: systemctl restart sightline. A reload started a different release than that of the parent process',
    ),
  ];
}
