export * as addresses from './addresses.ts';
export * as audit from './audit.ts';
export * as office from './office.ts';
export * as patient from './patient.ts';
export * as queue from './queue.ts';
export * as signIn from './sign-in.ts';
export * as smsCheckin from './sms-checkin.ts';
export * as texting from './texting.ts';
