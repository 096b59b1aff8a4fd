/** How many emails leave at most. Codes and notices about signing in have limits of their own; the operator gets every email. */
export const emailLimits = {
  /** What one practice sends: invitations, also those by text, and the emails to people it removes. */
  perOffice: { name: 'emails-office', points: 60, seconds: 3_600 },
  /** The same of a practice that nobody has confirmed. */
  perLimitedOffice: { name: 'emails-limited-office', points: 10, seconds: 86_400 },
  /** What a practice does not send itself: reminders of the agreement, somebody who asks to join. Uses up nothing of its own. */
  aboutOffice: { name: 'emails-about-office', points: 60, seconds: 3_600 },
  /** Everything one address gets, of all practices together. */
  perRecipient: { name: 'emails-recipient', points: 20, seconds: 86_400 },
} as const;
