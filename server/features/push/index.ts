export { arrivalPushStatement, stopPushesOfSession, stopPushesTo } from './sql.ts';
