import type { DemoAccount, DemoPerson } from './accounts.ts';
import { timeOrderedId, timestamp } from './calendar.ts';
import type { DemoLine } from './line.ts';
import { Choice, type Random } from './random.ts';

interface EventKind {
  event: string;
  weight: number;
  message: (person: DemoPerson, random: Random) => string;
  /** Set for background jobs, which have no HTTP request. */
  automatic?: true;
}

const KEY_NAMES = ['dashboard', 'siem export', 'nightly job', 'grafana'];
const REPORT_NAMES = ['csp', 'nel', 'dmarc', 'certificate_transparency'];
const EVENTS: readonly EventKind[] = [
  { event: 'loginSucceeded', weight: 50, message: ({ email }) => `${email} signed in` },
  { event: 'loginFailed', weight: 9, message: ({ email }) => `Wrong password for ${email}` },
  {
    event: 'reportsExported',
    weight: 12,
    message: (_, random) =>
      `Exported ${random.integer(10, 9000)} reports of type ${random.pick(REPORT_NAMES)} as CSV`,
  },
  { event: 'filtersUpdated', weight: 6, message: () => 'Global filters updated' },
  {
    event: 'policyUpdated',
    weight: 6,
    message: (_, random) => `Policy “${random.pick(['Main site', 'Checkout', 'Candidate'])}” updated`,
  },
  {
    event: 'apiKeyCreated',
    weight: 3,
    message: (_, random) => `API key “${random.pick(KEY_NAMES)}” created`,
  },
  {
    event: 'apiKeyRotated',
    weight: 3,
    message: (_, random) => `API key “${random.pick(KEY_NAMES)}” rotated`,
  },
  {
    event: 'apiKeyRevoked',
    weight: 2,
    message: (_, random) => `API key “${random.pick(KEY_NAMES)}” revoked`,
    automatic: true,
  },
  { event: 'memberInvited', weight: 2, message: ({ email }) => `${email} invited a member` },
  { event: 'memberRoleChanged', weight: 2, message: ({ email }) => `${email} changed a member's role` },
  {
    event: 'watchEnrolled',
    weight: 3,
    message: (_, random) => `A site enrolled in ${random.pick(['Script', 'Data', 'Frame', 'Policy'])} Watch`,
  },
  { event: 'planChanged', weight: 2, message: () => 'Plan renewed for another month', automatic: true },
];
const EVENT = new Choice(EVENTS, ({ weight }) => weight);

export function auditLine(account: DemoAccount, time: number, number: number, random: Random): DemoLine {
  const { event, message, automatic } = EVENT.pick(random);
  const person = random.pick(account.people);
  return {
    kind: 'auditEvent',
    accountId: account.id,
    id: timeOrderedId(time, number, random),
    timestamp: timestamp(time),
    event,
    message: message(person, random),
    loggedById: automatic ? 'system' : person.id,
    loggedByEmail: automatic ? 'system@sightline.example' : person.email,
    requestIp: automatic ? '' : toAddress(random),
  };
}

/** An address from the ranges reserved for documentation. */
function toAddress(random: Random): string {
  if (random.chance(0.2)) return `2001:db8:${random.hex(4)}::${random.integer(1, 9999)}`;
  return `${random.pick(['192.0.2', '198.51.100', '203.0.113'])}.${random.integer(1, 254)}`;
}
