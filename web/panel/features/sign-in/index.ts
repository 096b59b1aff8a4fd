export { CodeForm } from './code-form.tsx';
export { sentCode, type Sent } from './sent-code.ts';
