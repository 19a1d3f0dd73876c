export { connectAssistant } from './connect.ts';
export { mcpHandler, refuseSlowCalls } from './handler.ts';
export type { ServiceFacts } from './server.ts';
export { speakMcp } from './stdio.ts';
export { TOOLS } from './tools.ts';
