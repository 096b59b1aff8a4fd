export { CheckIn } from './check-in.tsx';
export { type Front, useOfficeFront } from './use-office-front.ts';
