export { CodeForm } from './code-form.tsx';
export { sentCode, type SentCode as Sent } from './sent-code.ts';
