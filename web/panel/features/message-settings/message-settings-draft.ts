import {
  leadMinutesRange,
  longestSnippet,
  longestSnippetName,
  replyMinutesRange,
  type MessageSettingsWithText,
  type Snippet,
} from '#contract/practice/message-settings.ts';
import { longestText } from '#contract/sms.ts';

/** The draft of the message settings: numbers are text. */
export interface Draft {
  from: string;
  until: string;
  defaultText: string;
  leadMinutes: string;
  /** Empty: the practice names no time. */
  replyMinutes: string;
  answersWhenClosed: boolean;
  snippets: Snippet[];
}

/** The problems, by field name (`until`, `snippets.0.name`). */
export type Problems = Partial<Record<string, 'time' | 'same' | 'lead' | 'reply' | 'long' | 'name' | 'words'>>;

export const toDraft = (settings: MessageSettingsWithText): Draft => ({
  ...settings.quietHours,
  defaultText: settings.defaultText,
  leadMinutes: String(settings.appointmentLeadMinutes),
  replyMinutes: settings.expectedReplyMinutes === null ? '' : String(settings.expectedReplyMinutes),
  answersWhenClosed: settings.answersWhenClosed,
  snippets: settings.snippets.map(({ id, name, text }) => ({ id, name, text: { ...text } })),
});

/** The problems that prevent saving; empty if there are none. */
export function problemsOf({ from, until, defaultText, leadMinutes, replyMinutes, snippets }: Draft): Problems {
  const problems: Problems = {};
  if (from === '') problems.from = 'time';
  if (until === '') problems.until = 'time';
  else if (from === until) problems.until = 'same';
  if (!isWithin(leadMinutes, leadMinutesRange)) problems.leadMinutes = 'lead';
  if (replyMinutes.trim() !== '' && !isWithin(replyMinutes, replyMinutesRange)) problems.replyMinutes = 'reply';
  if (defaultText.length > longestText) problems.defaultText = 'long';
  for (const [i, { name, text }] of snippets.entries()) {
    if (name.trim() === '' || name.length > longestSnippetName) problems[`snippets.${i}.name`] = 'name';
    if (text.en.trim() === '' && text.es.trim() === '') problems[`snippets.${i}.en`] = 'words';
    for (const language of ['en', 'es'] as const)
      if (text[language].length > longestSnippet) problems[`snippets.${i}.${language}`] = 'long';
  }
  return problems;
}

/** The settings of a draft without problems. */
export const toSettings = (draft: Draft): MessageSettingsWithText => ({
  quietHours: { from: draft.from, until: draft.until },
  defaultText: draft.defaultText.trim(),
  appointmentLeadMinutes: Number(draft.leadMinutes),
  expectedReplyMinutes: draft.replyMinutes.trim() === '' ? null : Number(draft.replyMinutes),
  answersWhenClosed: draft.answersWhenClosed,
  snippets: draft.snippets.map(({ id, name, text }) => ({
    id,
    name: name.trim(),
    text: { en: text.en.trim(), es: text.es.trim() },
  })),
});

/** The snippets with a removed one back at its place; what was typed in the others since then stays. */
export function withSnippetBack(snippets: readonly Snippet[], removed: Snippet, at: number): Snippet[] {
  if (snippets.some(({ id }) => id === removed.id)) return [...snippets];
  return snippets.toSpliced(at, 0, removed);
}

/** Whether saving would change anything. A draft that cannot be saved is a change. */
export function isChanged(draft: Draft, saved: MessageSettingsWithText): boolean {
  if (Object.keys(problemsOf(draft)).length > 0) return true;
  return JSON.stringify(toSettings(draft)) !== JSON.stringify(toSettings(toDraft(saved)));
}

function isWithin(typed: string, { least, most }: { least: number; most: number }): boolean {
  return /^\d{1,5}$/.test(typed.trim()) && Number(typed) >= least && Number(typed) <= most;
}
