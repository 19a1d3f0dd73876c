import type { Scene } from '../page-data.ts';
import { listAccounts, listAudit, listPolicies, listSetup, listWatches } from './account.ts';
import { listMailPolicies, listSenders, listSessions } from './mail.ts';
import { listDays, listInsights, listNews, listOverviewMail, listSites } from './overview.ts';
import { listReports, listSearches, listSingleReports, listVolumes } from './reports.ts';
import { listTryPolicies } from './try-policy.ts';

/** The cases that each view distinguishes, by the name of the view. */
export const SCENES: Readonly<Record<string, () => readonly Scene[]>> = {
  accounts: listAccounts,
  audit: listAudit,
  policies: listPolicies,
  setup: listSetup,
  watches: listWatches,
  insights: listInsights,
  days: listDays,
  news: listNews,
  mail: listOverviewMail,
  sites: listSites,
  'mail policies': listMailPolicies,
  senders: listSenders,
  sessions: listSessions,
  reports: listReports,
  'single reports': listSingleReports,
  searches: listSearches,
  volumes: listVolumes,
  'tried policies': listTryPolicies,
};
