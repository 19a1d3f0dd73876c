export { CopyRows } from './rows.ts';
export { textCell } from './text.ts';
