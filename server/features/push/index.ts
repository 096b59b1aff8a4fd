export { pushingArrival, stopPushesOfSession, stopPushesTo } from './sql.ts';
