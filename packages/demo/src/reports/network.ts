import { SERVER_NETWORKS } from '../networks.ts';
import { Choice } from '../random.ts';
import { createVisit, getOrigin, type ReportFields, type Scene, toBrowserReport } from './scene.ts';

interface Outcome {
  weight: number;
  nelType: string;
  phase: 'dns' | 'connection' | 'application';
  statusCode: number;
}

const OUTCOMES: readonly Outcome[] = [
  { weight: 30, nelType: 'http.error', phase: 'application', statusCode: 404 },
  { weight: 8, nelType: 'http.error', phase: 'application', statusCode: 503 },
  { weight: 10, nelType: 'ok', phase: 'application', statusCode: 200 },
  { weight: 9, nelType: 'abandoned', phase: 'application', statusCode: 0 },
  { weight: 5, nelType: 'http.response.redirect_loop', phase: 'application', statusCode: 302 },
  { weight: 4, nelType: 'h2.ping_failed', phase: 'application', statusCode: 0 },
  { weight: 12, nelType: 'tcp.timed_out', phase: 'connection', statusCode: 0 },
  { weight: 7, nelType: 'tcp.reset', phase: 'connection', statusCode: 0 },
  { weight: 4, nelType: 'tls.cert.date_invalid', phase: 'connection', statusCode: 0 },
  { weight: 3, nelType: 'tls.cert.name_invalid', phase: 'connection', statusCode: 0 },
  { weight: 6, nelType: 'dns.name_not_resolved', phase: 'dns', statusCode: 0 },
  { weight: 2, nelType: 'dns.unreachable', phase: 'dns', statusCode: 0 },
];
const OUTCOME = new Choice(OUTCOMES, ({ weight }) => weight);

/** Without a server address, there is neither a protocol nor an organisation. */
function nel(scene: Scene): ReportFields {
  const { random } = scene;
  const visit = createVisit(scene);
  const { nelType, phase, statusCode } = scene.planned?.outcome ?? OUTCOME.pick(random);
  const isResolved = phase !== 'dns';
  const network = random.pick(SERVER_NETWORKS);
  const serverIp = isResolved ? network.prefix + random.integer(1, 30) : '';
  const protocol = isResolved ? random.pick(['h2', 'h3', 'h2', 'http/1.1']) : '';
  const method = random.chance(0.9) ? 'GET' : 'POST';
  const referrer = random.chance(0.5) ? `${getOrigin(scene)}/` : '';
  const elapsedTime =
    nelType === 'abandoned' ? null : random.integer(3, phase === 'connection' ? 30_000 : 900);
  const samplingFraction = nelType === 'ok' ? 0.01 : 1;
  return {
    ...toBrowserReport('network-error', visit, {
      sampling_fraction: samplingFraction,
      referrer,
      server_ip: serverIp,
      protocol,
      method,
      request_headers: {},
      response_headers: {},
      status_code: statusCode,
      ...(elapsedTime === null ? {} : { elapsed_time: elapsedTime }),
      phase,
      type: nelType,
    }),
    nelType,
    phase,
    protocol,
    method,
    statusCode,
    serverIp,
    referrer,
    elapsedTime,
    samplingFraction,
    organisation: scene.planned?.organisation ?? (isResolved ? network.organisation : ''),
  };
}

/** The generators of these reports, by type. */
export const NETWORK = { nel };
