import type { EndedLink } from '#contract/ended-link.ts';
import type { VisitForms } from '#contract/forms/filling.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import type { OfficeFront } from './check-in.ts';
import type { PatientVisit } from './visit.ts';

/** Data the server embeds in the patient's page, so the first paint needs no request. */
export interface PatientBoot {
  /** The office at this URL, and this browser's running visit there. */
  front: { office: OfficeFront; running: { token: string; initial: string | null } | null } | null;
  /** The visit of the token in this URL. */
  visit: PatientVisit | null;
  /** Its forms, as far as this link may see them. */
  forms: VisitForms | null;
  /** The ETag of the call that lists them: the page's own first call asks with it. */
  formsEtag?: string;
  /** The refusal if there is neither. */
  refused: RefusalCode | null;
  /** Whose link it was, if it has ended. */
  endedLink?: EndedLink;
}
