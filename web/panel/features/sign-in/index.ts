export { CodeForm } from './code-form.tsx';
export { ConfirmIdentity } from './confirm-identity.tsx';
export { sentCode, type SentCode } from './sent-code.ts';
