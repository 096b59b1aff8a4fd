export { forgetChallengesBefore } from './challenges.ts';
export { mustHaveProved } from './proof.ts';
