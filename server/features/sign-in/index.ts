export { codeText } from './codes.ts';
export { deviceWords } from './device-words.ts';
export { mustHaveProved } from './proof.ts';
export { readIdentifier, type Identifier } from './identifier.ts';
export { sendCodeFor, signInThrough } from './other-doors.ts';
export { describeSession } from './session.ts';
