import { exportCommand as commandOf } from '@sightline/tools/commands';
import type { Command } from 'commander';
import { listFilters } from '../../sql/report/filters.ts';
import { ownKey } from './own-key.ts';

/** Exports everything of an account, with the filters of this service. */
export function exportCommand(): Command {
  return commandOf({ key: ownKey, listFilters: type => listFilters(type).map(({ name }) => name) });
}
