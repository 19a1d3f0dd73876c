export { BROWSER_RECORDS } from './browser.ts';
export { SERVER_RECORDS } from './server.ts';
