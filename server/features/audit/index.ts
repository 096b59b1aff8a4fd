export { forgetHeads, officesWithHeads } from './signed-heads.ts';
export { verifyOffice, type Verdict } from './verify-chain.ts';
