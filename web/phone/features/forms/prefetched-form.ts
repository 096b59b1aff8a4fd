import type { OpenForm } from '#contract/forms/filling.ts';
import type { FormKey } from '#web/phone/features/forms/form-address.ts';

/** The form that the patient most likely opens next. */
let prefetched: { key: FormKey; form: OpenForm } | null = null;

export function storePrefetchedForm(key: FormKey, form: OpenForm): void {
  prefetched = { key, form };
}

export function dropPrefetchedForm(): void {
  prefetched = null;
}

/** Hands out the form if it was prefetched, only once: from then on it is filled in and this copy is stale. */
export function takePrefetchedForm({ token, memberId, formType }: FormKey): OpenForm | null {
  const key = prefetched?.key;
  if (key?.token !== token || key.memberId !== memberId || key.formType !== formType) return null;
  const form = prefetched?.form ?? null;
  prefetched = null;
  return form;
}
