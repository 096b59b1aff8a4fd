export { networkOf } from './budgets.ts';
export { describeSession } from './session.ts';
