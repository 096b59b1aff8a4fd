export { arrivalPushStatement, messagePushStatement, stopPushesOfSession, stopPushesTo } from './sql.ts';
