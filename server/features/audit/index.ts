export { forgetHeads, officesWithHeads } from './heads.ts';
export { verifyOffice, type Verdict } from './verify.ts';
