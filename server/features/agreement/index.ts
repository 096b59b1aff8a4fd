export { agreementPaper } from './paper.ts';
export { agreementText, currentVersion, type Parties } from './template.ts';
