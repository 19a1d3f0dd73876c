import { exportCommand as commandOf } from '@sightline/export/command';
import type { Command } from 'commander';
import { filtersOf } from '../../sql/report/filters.ts';
import { ownKey } from './own-key.ts';

/** Everything that an account has, with the filters of this service. */
export function exportCommand(): Command {
  return commandOf({ key: ownKey, filtersOf: type => filtersOf(type).map(({ name }) => name) });
}
