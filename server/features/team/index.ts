export { openInvitationsTo } from './joining.ts';
