/** An account of the local stand-in. */
export interface TestPerson {
  sub: string;
  name: string;
  email: string;
  email_verified: boolean;
}

/** The stand-in's accounts: staff of the demo, somebody new, and somebody whose email address Google has not verified. */
export const testPeople: readonly TestPerson[] = [
  { sub: '1001', name: 'Dana Whitlock', email: 'front@maple.test', email_verified: true },
  { sub: '1002', name: 'Front desk, Cedar', email: 'front@cedar.test', email_verified: true },
  { sub: '1003', name: 'Somebody new', email: 'newcomer@google.test', email_verified: true },
  { sub: '1004', name: 'Not verified by Google', email: 'unverified@google.test', email_verified: false },
];
