export { runningApplication, saveAnswers } from './application.ts';
export { saveForm } from './hosted-form.ts';
export { cardPayments, paymentIdentity } from './identity.ts';
export { referenceOf, syncApplication } from './sync-application.ts';
