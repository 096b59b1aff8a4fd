export { paymentIdentity } from './identity.ts';
