export { agreementText, currentVersion, type Parties } from './template.ts';
export { askForSignature } from './signing.ts';
export { settle } from './settling.ts';
