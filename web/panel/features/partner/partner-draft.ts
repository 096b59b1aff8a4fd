import type { PartnerDetails } from '#contract/partner.ts';

/** A code that was sent. */
export interface DraftInput {
  /** The recipient. */
  to: string;
  expiresAt: string;
  /** When another code can be requested, ms by the server's clock. */
  resendAt: number;
}

/** The draft of a person who has not signed in yet: their input, and the code they wait for. */
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

/** The draft saved in this browser by a person who was not signed in: a practice's public details and its email address. */
export function readDraft(): Draft | null {
  try {
    const saved = JSON.parse(localStorage.getItem(key) ?? 'null') as Draft | null;
    return saved && { ...saved, details: { ...emptyDraft, ...saved.details } };
  } catch {
    return null;
  }
}

export function saveDraft(draft: Draft): void {
  try {
    localStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // Storage is disabled: the draft lasts while this page is open.
  }
}

export function deleteDraft(): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Storage is disabled: there is nothing to delete.
  }
}
