import * as z from 'zod/mini';

/**
 * `current` of `visit_link_ended`, `episode_link_ended` and `share_over`: whose link it was. Missing if there never was such a link, so that
 * nobody learns anything by trying.
 */
export const EndedLink = z.object({
  officeName: z.string(),
  /** The number that patients call; null if the practice has told us none. */
  officePhone: z.nullable(z.string()),
  /** Its time was over; otherwise the practice or the patient ended it. */
  hasExpired: z.boolean(),
});
export type EndedLink = z.output<typeof EndedLink>;
