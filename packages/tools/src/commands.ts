export { alertCommand } from './alert/command.ts';
export { digestCommand } from './alert/digest-command.ts';
export { evidenceCommand } from './evidence/command.ts';
export { exportCommand } from './export/command.ts';
export { policyCommand } from './policy-check/command.ts';
