/**
 * Nurse callbacks: a patient whom a nurse should call.
 *
 * A callback is raised by a submitted survey or by the patient, taken by one nurse, and closed with a note. While it is open, further
 * reasons join it; after it was taken, they raise another one.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Instant } from '#contract/shapes.ts';
import { OfAmbuPatient, PainScore, Staff } from './shapes.ts';

/** A pain score rose by so many points since the survey before. */
export const painRise = 2;
export const longestCallbackNote = 2_000;

/**
 * Why a callback was raised. `score`: at or above the office's limit. `rise`: two points more than in the survey before. `asked`: the patient
 * wants to be called. `requested`: somebody of the office wants it. `word`: the patient wrote a word the office watches for. `red-flag`: a
 * warning sign.
 */
export const CallbackReasonCode = z.enum(['score', 'rise', 'asked', 'requested', 'word', 'red-flag']);
export type CallbackReasonCode = z.output<typeof CallbackReasonCode>;

export const CallbackReason = z.object({
  code: CallbackReasonCode,
  /** The score (`8`), the rise (`3 → 6`), the word, the warning sign, when to call, who of the office wants it; empty if there is nothing to add. */
  detail: z.object({ en: z.string(), es: z.string() }),
  /** The day of the survey whose answer it is; absent if no survey gave it. */
  day: z.optional(z.int()),
});
export type CallbackReason = z.output<typeof CallbackReason>;
/** The reasons of one callback, as stored. */
export type CallbackReasons = readonly CallbackReason[];

export const CallbackState = z.enum(['open', 'taken', 'closed']);
export type CallbackState = z.output<typeof CallbackState>;

/** What a move of a callback changes, from which states. */
export const callbackMoves = {
  take: { from: ['open'], to: 'taken' },
  /** Another nurse takes over from the one who took it. */
  takeOver: { from: ['taken'], to: 'taken' },
  /** The undo of taking it. */
  release: { from: ['taken'], to: 'open' },
  close: { from: ['taken'], to: 'closed' },
  /** The undo of the office's own request: `mayWithdraw`. */
  withdraw: { from: ['open'], to: 'closed' },
} as const satisfies Record<string, { from: readonly CallbackState[]; to: CallbackState }>;
export type CallbackMove = keyof typeof callbackMoves;

export const NurseCallback = z.object({
  id: z.uuid(),
  version: z.int(),
  state: CallbackState,
  reasons: z.array(CallbackReason),
  raisedAt: Instant,
  /** When it was raised or got its newest reason. */
  newsAt: Instant,
  /** The day of the episode on which it was raised. */
  day: z.int(),
  userCode: z.string(),
  userId: z.uuid(),
  patientName: z.string(),
  phoneNumber: z.string(),
  /** The patient's newest scores. */
  stationaryPainScore: z.nullable(PainScore),
  movementPainScore: z.nullable(PainScore),
  takenBy: z.nullable(Staff),
  takenAt: z.nullable(Instant),
  closedBy: z.nullable(Staff),
  closedAt: z.nullable(Instant),
  note: z.string(),
});
export type NurseCallback = z.output<typeof NurseCallback>;

/** Nobody has taken it, and only the office wanted it: no answer of the patient calls for it. */
export const mayWithdraw = ({ state, reasons }: { state: CallbackState; reasons: CallbackReasons }): boolean =>
  state === 'open' && reasons.every(({ code }) => code === 'requested');

/** `waiting`: the longest waiting first. `news`: what was raised or got another reason last. */
export const callbackSorts = ['waiting', 'news', 'name', 'stationary', 'movement'] as const;
const Sort = z.enum(callbackSorts);
export type CallbackSort = z.output<typeof Sort>;

export const listCallbacks = endpoint({
  method: 'GET',
  path: '/ambu/callbacks',
  summary: 'The callbacks that are open or taken, five per page; with `state=closed` the closed ones, newest first',
  access: 'office',
  etag: true,
  audit: 'callback.list',
  query: z.object({
    state: z.optional(z.enum(['waiting', 'closed'])),
    sort: z.optional(Sort),
    /** By default `desc`, but names and waiting `asc`. */
    order: z.optional(z.enum(['asc', 'desc'])),
    page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,4}$/))),
  }),
  reply: z.object({
    callbacks: z.array(NurseCallback),
    total: z.int(),
    page: z.int(),
    pageSize: z.int(),
    /** Nobody has taken them yet. */
    open: z.int(),
    now: Instant,
  }),
});

export const readCallbackCount = endpoint({
  method: 'GET',
  path: '/ambu/callbacks/count',
  summary:
    'How many callbacks nobody has taken yet, how many are open or taken, and when the newest was raised: what every page of the panel polls',
  access: 'office',
  reply: z.object({
    open: z.int(),
    waiting: z.int(),
    /** When the newest one that nobody has taken was raised or got its newest reason. */
    newsAt: z.nullable(Instant),
  }),
  etag: true,
});

export const raiseCallback = endpoint({
  method: 'POST',
  path: '/ambu/patients/:userCode/:userId/callback',
  summary: 'The desk asks for a nurse to call this patient, such as after a phone call',
  access: 'office',
  audit: 'callback.raise',
  params: OfAmbuPatient,
  reply: NurseCallback,
  refusals: ['patient_not_found'],
});

export const moveCallback = endpoint({
  method: 'POST',
  path: '/ambu/callbacks/:id',
  summary:
    'Takes, takes over, releases or closes a callback, or withdraws one that only the office wanted. If two nurses take one at once, the second gets a 409 with the current one. Closing needs a note',
  access: 'office',
  audit: 'callback.move',
  params: z.object({ id: z.uuid() }),
  body: z.object({
    move: z.enum(['take', 'takeOver', 'release', 'close', 'withdraw']),
    /** The version the caller saw. */
    version: z.int().check(z.minimum(1), z.maximum(2_000_000_000)),
    /** What the nurse did; needed by `close`. */
    note: z.optional(z.string().check(z.maxLength(longestCallbackNote))),
  }),
  reply: NurseCallback,
  refusals: ['callback_not_found', 'callback_moved_on', 'callback_needs_note'],
});
