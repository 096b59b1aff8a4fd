/**
 * What a practice decided about its texts and messages.
 *
 * quiet hours: when nobody should be texted, by the clock of the person and of the office. snippet: a text that the desk uses often.
 * lead time: how long before an appointment its text goes out.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { longestText } from '#contract/sms.ts';

export const mostSnippets = 100;
export const longestSnippetName = 60;
export const longestSnippet = 1_000;
export const leadMinutesRange = { least: 5, most: 24 * 60 } as const;
export const replyMinutesRange = { least: 1, most: 7 * 24 * 60 } as const;

/** What a snippet may contain: the patient's first name, the practice's name, its check-in page, the usual time to an answer. */
export const snippetVariables = ['name', 'office', 'link', 'reply'] as const;
export type SnippetVariable = (typeof snippetVariables)[number];

/** Whole minutes within a range. */
const Minutes = /* @__NO_SIDE_EFFECTS__ */ ({ least, most }: { least: number; most: number }) =>
  z.int().check(z.minimum(least), z.maximum(most));

const TimeOfDay = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/));

/** From an evening until a morning, or any other two times of a day. */
export const QuietHours = z
  .object({ from: TimeOfDay, until: TimeOfDay })
  .check(z.refine(({ from, until }) => from !== until, 'it ends when it begins'));
export type QuietHours = z.output<typeof QuietHours>;

/** A text that the desk uses often, in one or two languages. */
export const Snippet = z
  .object({
    id: z.uuid(),
    name: z.string().check(z.regex(/\S/), z.maxLength(longestSnippetName)),
    text: z.object({
      en: z.string().check(z.maxLength(longestSnippet)),
      es: z.string().check(z.maxLength(longestSnippet)),
    }),
  })
  .check(z.refine(({ text }) => text.en.trim() !== '' || text.es.trim() !== '', 'it has no words'));
export type Snippet = z.output<typeof Snippet>;

export const MessageSettings = z.object({
  quietHours: QuietHours,
  snippets: z.array(Snippet).check(
    z.maxLength(mostSnippets),
    z.refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'two have one id'),
  ),
  /** Texts before appointments go out this many minutes before. */
  appointmentLeadMinutes: Minutes(leadMinutesRange),
  /** How soon the practice usually answers, for patients; null says nothing. */
  expectedReplyMinutes: z.nullable(Minutes(replyMinutesRange)),
  /** People who text while the practice is closed get one automatic answer. */
  answersWhenClosed: z.boolean(),
});
export type MessageSettings = z.output<typeof MessageSettings>;
/** The settings as stored: those that were added later may be missing. */
export type SavedMessageSettings = Partial<MessageSettings>;

export const messageSettingsDefault: MessageSettings = {
  quietHours: { from: '21:00', until: '08:00' },
  snippets: [],
  appointmentLeadMinutes: 60,
  expectedReplyMinutes: null,
  answersWhenClosed: true,
};

const WithDefaultText = z.extend(MessageSettings, {
  /** What Send SMS suggests. An empty one restores the standard text. */
  defaultText: z.string().check(z.maxLength(longestText)),
});
export type MessageSettingsWithText = z.output<typeof WithDefaultText>;

const ShownMessageSettings = z.extend(WithDefaultText, {
  /** What snippets say about the practice. */
  officeName: z.string(),
  checkInPage: z.string(),
  /** What "Text a patient" sends without a text of its own, with a placeholder for its link, and how long that link is. */
  checkInText: z.string(),
  checkInLinkLength: z.int(),
});
export type ShownMessageSettings = z.output<typeof ShownMessageSettings>;

export const readMessageSettings = endpoint({
  method: 'GET',
  path: '/office/message-settings',
  summary: "The office's message settings: quiet hours, snippets, default text, lead time, expected reply time",
  access: 'office',
  reply: ShownMessageSettings,
});

export const saveMessageSettings = endpoint({
  method: 'PUT',
  path: '/office/message-settings',
  summary: "Changes the office's message settings",
  access: 'office',
  audit: 'settings.change',
  body: WithDefaultText,
  reply: ShownMessageSettings,
  refusals: ['limited_own_words'],
});
