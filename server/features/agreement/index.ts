export { agreementText, currentVersion, type Parties } from './template.ts';
export { requestSignature, hasRunningRequest, cancelRunningRequest } from './signing.ts';
export { staffScope } from './agreement-status.ts';
export { syncAgreement } from './sync-agreement.ts';
