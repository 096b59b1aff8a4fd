export { openInvitationsTo } from './join-team.ts';
