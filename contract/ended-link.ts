/**
 * `current` of `visit_link_ended`, `episode_link_ended` and `share_over`: whose link it was. Missing if there never was such a link, so that
 * nobody learns anything by trying.
 */
export interface EndedLink {
  officeName: string;
  /** The number that patients call; null if the practice has told us none. */
  officePhone: string | null;
  /** Its time was over; otherwise the practice or the patient ended it. */
  hasExpired: boolean;
}
