/**
 * The first steps of a new practice: what to do before the first patient comes.
 *
 * step: one entry of the list. It is done when it has really happened; only the printed poster is reported by the panel.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

/** The steps in the order of the list. */
export const firstSteps = ['phone', 'poster', 'text', 'colleague', 'sound'] as const;
export type FirstStep = (typeof firstSteps)[number];

export const FirstSteps = z.object({
  /** The office has not closed the list. */
  shown: z.boolean(),
  done: z.object({
    /** Somebody has checked in on a phone. */
    phone: z.boolean(),
    /** The poster has been printed. */
    poster: z.boolean(),
    /** The office has texted somebody. */
    text: z.boolean(),
    /** A colleague is a member or has been invited. */
    colleague: z.boolean(),
    /** This person has turned the sound of arrivals on. */
    sound: z.boolean(),
  }),
});
export type FirstSteps = z.output<typeof FirstSteps>;

export const readFirstSteps = endpoint({
  method: 'GET',
  path: '/office/first-steps',
  summary: 'Which of the first steps of a new practice are done',
  access: 'office',
  reply: FirstSteps,
});

export const saveFirstSteps = endpoint({
  method: 'PATCH',
  path: '/office/first-steps',
  summary: 'Closes or opens the list of first steps for the whole office, or reports that its poster was printed',
  access: 'office',
  body: z.object({ shown: z.optional(z.boolean()), posterPrinted: z.optional(z.literal(true)) }),
  reply: FirstSteps,
});
