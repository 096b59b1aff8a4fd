export { runningApplication, saveAnswers } from './application.ts';
export { endMerchantLinks } from './form-links.ts';
export { saveForm } from './hosted-form.ts';
export { cardPayments, paymentIdentity, practicePhone } from './identity.ts';
export { skipSubmissionNotice } from './submission-notice.ts';
export { referenceOf, syncApplication } from './sync-application.ts';
