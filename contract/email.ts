/** An email address: text, @, text, dot, text, with no spaces. */
export const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
/** The same, or nothing. */
export const optionalEmailPattern = /^([^\s@]+@[^\s@]+\.[^\s@]+)?$/;

/** Limits on emails. Sign-in codes and security notices have limits of their own; emails to the operator are not limited. */
export const emailLimits = {
  /** Emails a practice sends: invitations (texted ones too) and notices to removed members. */
  perOffice: { name: 'emails-office', points: 60, seconds: 3_600 },
  /** The same for a practice that is not confirmed yet. */
  perLimitedOffice: { name: 'emails-limited-office', points: 10, seconds: 86_400 },
  /** Emails to a practice that it did not send itself: agreement reminders, requests to join. They do not count against `perOffice`. */
  aboutOffice: { name: 'emails-about-office', points: 60, seconds: 3_600 },
  /** Emails of one practice to one address. */
  perOfficeAndRecipient: { name: 'emails-office-recipient', points: 5, seconds: 86_400 },
  /** All emails to one address, from all practices together. Each practice's first email of the day to the address is sent anyway. */
  perRecipient: { name: 'emails-recipient', points: 20, seconds: 86_400 },
  /** Such first emails beyond `perRecipient`, from all practices that are not confirmed yet: anybody can register many of them. */
  limitedFirst: { name: 'emails-limited-first', points: 20, seconds: 86_400 },
} as const;
