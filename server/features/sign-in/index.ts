export { describeSession } from './session.ts';
