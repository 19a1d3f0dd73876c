export {
  allowlistText,
  findConnections,
  isPattern,
  RESPONSE_ORIGIN,
} from './connection-allowlist.ts';
export { type Doubt, findCandidates, rankSuggestions, type Suggestion, type Trust } from './suggest.ts';
export { findWeaknesses, type Weakness } from './weaknesses.ts';
