/** What the practice and a patient write to each other on a visit. */
import * as z from 'zod/mini';
import { Instant } from './shapes.ts';
import { TextProblem, TextState } from './text-states.ts';

/** Requests every missing form instead of one form type. */
export const allMissingForms = '*';

export const MessageSender = z.enum(['office', 'patient']);
export type MessageSender = z.output<typeof MessageSender>;

export const MessageKind = z.enum(['message', 'invite', 'reinvite', 'link', 'payment']);
export type MessageKind = z.output<typeof MessageKind>;
/** `notice`: an answer that carriers require; no screen shows it. */
export type TextKind = MessageKind | 'notice';

/** Why a picture that came by text cannot be shown. */
export const pictureProblems = ['not-a-picture', 'unreadable', 'too-large', 'too-many', 'unavailable'] as const;
export type PictureProblem = (typeof pictureProblems)[number];

/** `fetching`: the carrier has it, and it will be here in a moment. */
const missingPictures = ['fetching', ...pictureProblems] as const;
export const MissingPicture = z.enum(missingPictures);
export type MissingPicture = z.output<typeof MissingPicture>;

/** A visit shows this many of its newest messages; the inbox shows all. Anybody who has the practice's number can add to them. */
export const messagesPerVisit = 100;

export const VisitMessage = z.object({
  id: z.uuid(),
  at: Instant,
  from: MessageSender,
  /** The staff member who wrote it; null for an automatic text (an invite). */
  by: z.nullable(z.string()),
  kind: MessageKind,
  body: z.string(),
  /** The text it was sent in; null for a message from the patient. */
  textId: z.nullable(z.uuid()),
  state: z.nullable(TextState),
  /** Why it failed or is held back; null otherwise. */
  problem: z.nullable(TextProblem),
  /** When the limit that held it back allows the next text; null if no limit did. */
  limitedUntil: z.nullable(Instant),
  /** When it goes out, if it waits for the end of quiet hours; null otherwise. */
  sendAt: z.nullable(Instant),
  /** The picture it shows, with its size in pixels; its body describes the picture, if somebody did. */
  picture: z.nullable(z.object({ id: z.uuid(), conversationId: z.uuid(), width: z.int(), height: z.int() })),
  /** Why it does not show the picture that the patient sent; null if it does, and without one. */
  missingPicture: z.nullable(MissingPicture),
  /** The form it requested, `*` for all missing ones; null for every other message. */
  askedForm: z.nullable(z.string()),
});
export type VisitMessage = z.output<typeof VisitMessage>;

/** It is quiet where a number is: until when, and whether an answer waits until then (in the demo it goes out at once). */
export const QuietNow = z.object({ until: Instant, waits: z.boolean() });
export type QuietNow = z.output<typeof QuietNow>;

/** Whether an answer waits for the end of quiet hours (that is the default), or goes out in them. */
export const QuietChoice = z.enum(['wait', 'ignore']);
export type QuietChoice = z.output<typeof QuietChoice>;
