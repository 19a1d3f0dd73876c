/** The thresholds of the rules that find insights. The table in the documentation is generated from them. */
export const RULES = {
  /** The number of earlier days from which baselines are computed, and the minimum that a type needs. */
  usualDays: 28,
  learningDays: 7,
  /** The number of days for which an ongoing threat or incident is tracked after its first report. */
  ongoingDays: 28,
  newBlockedHost: { reports: 5, threatReports: 3, browsers: 2, attackBrowsers: 3, days: 7, againOnADay: 10 },
  lookAlikeHost: { reports: 3, browsers: 2, distance: 2, shortest: 5 },
  growth: { reports: 20, perWeek: 1.5, ended: 0.5 },
  manyNewHosts: { hosts: 100, foldedHosts: 5, floodHosts: 50 },
  scriptChanged: { reports: 3, browsers: 2, changes: 3, scriptsTogether: 3 },
  spike: { reportsAnHour: 20, reportsADay: 10, times: 2, deviations: 6 },
  newFeature: { reports: 5 },
  networkError: { hosts: 2, network: 0.6 },
  senderFails: { messages: 20, before: 0.9 },
  authenticationFails: { messages: 20, reports: 3, before: 0.9, now: 0.5 },
  newSender: { messages: 100 },
  tlsFailures: { sessions: 20, share: 0.01, times: 3, reports: 2, atOnce: 0.1 },
  certificates: { days: 90 },
  newFinding: { quietDays: 14 },
  silence: { missed: 20, hours: 48, mailHours: 72, siteHours: 24, allHours: 30 },
  /**
   * The number of hours without a report after which an insight is over. It is higher if the insight lasted for days or
   * if reports are rare.
   */
  over: { hours: 24, lastedDays: 3, lastedHours: 48, script: 72, mail: 72, certificate: 168 },
} as const;

/** Path segments of pages where visitors enter valuable data. */
export const SENSITIVE_PATHS = [
  ...['payment', 'payments', 'pay', 'checkout', 'billing', 'card', 'kasse', 'zahlung', 'paiement', 'pago'],
  ...['login', 'signin', 'sign-in', 'logon', 'auth', 'password', 'anmelden', 'connexion'],
  ...['account', 'accounts', 'konto', 'compte', 'register', 'signup', 'sign-up'],
] as const;

/** Directives through which a new host could take over a page or read its input, with a phrase for messages. */
export const ATTACK_DIRECTIVES: Readonly<Record<string, string>> = {
  'script-src': 'run script',
  'worker-src': 'run script',
  'connect-src': 'receive connections',
  'form-action': 'receive forms',
  'default-src': 'load code',
};
