export { forgetChallengesBefore } from './challenge-sql.ts';
export { requireRecentProof } from './proof.ts';
