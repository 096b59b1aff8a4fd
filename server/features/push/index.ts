export {
  arrivalPushStatement,
  callbackPushStatement,
  messagePushStatement,
  stopPushesOfSession,
  stopPushesTo,
} from './sql.ts';
