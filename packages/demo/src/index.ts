export { toDay as dayOf } from './calendar.ts';
export { demoFeed } from './feed.ts';
export { DEMO_DEFAULTS, DEMO_PERSONAL, DEMO_TEAM, type DemoOptions, demoToday } from './options.ts';
