/** Whether abuse is tried fully, by `npm run test:faults`, or a little, within `npm test`. */
export const isEarnest = process.env.FAULTS === 'earnest';
