export { LLMS } from './llms.ts';
export { CONTENT_SECURITY_POLICY } from './rights.ts';
