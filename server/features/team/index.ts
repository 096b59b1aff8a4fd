export { joinWhereInvited } from './joining.ts';
