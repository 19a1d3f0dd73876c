export { createSpoolMetrics, type SpoolMetrics } from './metrics.ts';
export {
  type SpoolFile,
  type SpoolOutcome,
  SpoolRefused,
  type SpoolWork,
  type WatchSettings,
  watchFolder,
  watchFolders,
} from './watch.ts';
