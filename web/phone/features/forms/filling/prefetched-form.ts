import type { OpenForm } from '#contract/forms/filling.ts';

interface Place {
  token: string;
  memberId: string;
  formType: string;
}

/** The form that will be opened next, most likely: it was fetched ahead. */
let kept: { place: Place; form: OpenForm } | null = null;

const isAt = (place: Place) => kept?.place.memberId === place.memberId && kept.place.formType === place.formType;

export function keep(place: Place, form: OpenForm): void {
  kept = { place, form };
}

export function dropKept(): void {
  kept = null;
}

/** The form, if it was kept; once, for from then on it is filled. */
export function takeKept(place: Place): OpenForm | null {
  const form = isAt(place) && kept?.place.token === place.token ? kept?.form : null;
  if (form) kept = null;
  return form ?? null;
}
