export { CodeForm } from './code-form.tsx';
export { ConfirmIdentity } from './confirm-identity.tsx';
export { SetPinForm } from './set-pin-form.tsx';
export { sentCode, type SentCode } from './sent-code.ts';
