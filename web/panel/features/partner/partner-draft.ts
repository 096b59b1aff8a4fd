import type { PartnerDetails } from '#contract/partner.ts';

/** A code that is on its way. */
export interface DraftInput {
  /** Where it went. */
  to: string;
  expiresAt: string;
  /** When another may be asked for, ms by the server's clock. */
  resendAt: number;
}

/** Where somebody is who has not signed in yet: what they typed, and the code they wait for. */
export interface Draft {
  details: PartnerDetails;
  sent?: DraftInput;
}

export const emptyDraft: PartnerDetails = {
  addressLine1: '',
  city: '',
  state: '',
  zip: '',
  name: '',
  email: '',
  emr: '',
  isChadisOnboarding: true,
};

const key = 'anteroom.partner';

/** What was typed on this machine by nobody who is signed in, before the window was closed: a practice's public facts and its address. */
export function readDraft(): Draft | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as Draft | null;
    return kept && { ...kept, details: { ...emptyDraft, ...kept.details } };
  } catch {
    return null;
  }
}

export function saveDraft(draft: Draft): void {
  try {
    localStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // Storage is switched off: it holds for this page.
  }
}

export function deleteDraft(): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Storage is switched off: there is nothing to forget.
  }
}
