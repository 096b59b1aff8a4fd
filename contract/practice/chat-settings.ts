/**
 * The chat on a practice's own website, as the practice set it up.
 *
 * origin: the address of a website without a path, such as https://maple.example. Only these websites may show the widget in a frame.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Npi } from '#contract/shapes.ts';
import { OpeningHours } from './opening-hours.ts';

export const mostOrigins = 20;
export const longestGreeting = 300;
export const chatColorDefault = '#0f5f8c';

const originPattern = /^https?:\/\/([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?(:\d{1,5})?$/;
const Origin = z.string().check(z.maxLength(200), z.regex(originPattern));

export const ChatSettings = z.object({
  /** Visitors of the website can chat with the practice. */
  chatEnabled: z.boolean(),
  origins: z.array(Origin).check(
    z.maxLength(mostOrigins),
    z.refine((list) => new Set(list).size === list.length, 'one is listed twice'),
  ),
  /** The color of the chat's button and header, #rrggbb. */
  color: z.string().check(z.regex(/^#[0-9a-f]{6}$/)),
  greeting: z.object({
    en: z.string().check(z.maxLength(longestGreeting)),
    es: z.string().check(z.maxLength(longestGreeting)),
  }),
  /** When somebody answers chats: seven entries, Monday first; null means nobody that day. Null as a whole: the opening hours. */
  hours: z.nullable(z.array(z.nullable(OpeningHours)).check(z.length(7))),
});
export type ChatSettings = z.output<typeof ChatSettings>;
/** The settings as stored: those that were added later may be missing. */
export type SavedChatSettings = Partial<Omit<ChatSettings, 'chatEnabled'>>;

export const chatSettingsDefault: Omit<ChatSettings, 'chatEnabled'> = {
  origins: [],
  color: chatColorDefault,
  greeting: { en: '', es: '' },
  hours: null,
};

/**
 * The line that a practice puts on its website. Nothing is loaded before the first click, so the line says the color of the button if it is
 * not the default one.
 */
export function chatSnippet({ host, npi, color }: { host: string; npi: string; color: string }): string {
  const ofColor = color === chatColorDefault ? '' : ` data-color="${color}"`;
  return `<script src="${host}/widget.js" data-office="${npi}"${ofColor} async></script>`;
}

const ShownChatSettings = z.extend(ChatSettings, {
  npi: Npi,
  /** Where a website loads the chat from: the origin of this installation. */
  host: z.string(),
  /** How soon the practice usually answers; set in its message settings. */
  expectedReplyMinutes: z.nullable(z.int()),
});
export type ShownChatSettings = z.output<typeof ShownChatSettings>;

export const readChatSettings = endpoint({
  method: 'GET',
  path: '/office/chat-settings',
  summary: "The chat on the office's own website: on or off, the sites that may show it, color, greeting, hours",
  access: 'office',
  reply: ShownChatSettings,
});

export const saveChatSettings = endpoint({
  method: 'PUT',
  path: '/office/chat-settings',
  summary: 'Changes the settings of the website chat',
  access: 'office',
  audit: 'settings.change',
  body: ChatSettings,
  reply: ShownChatSettings,
  refusals: ['limited_chat'],
});
