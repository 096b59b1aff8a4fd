export { agreementText, currentVersion, type Parties } from './template.ts';
export { askForSignature, isRunning, takeBack } from './signing.ts';
export { staffScope } from './agreement-status.ts';
export { settle } from './settle-agreement.ts';
