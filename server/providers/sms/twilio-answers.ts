import * as z from 'zod/mini';

/** Parses an answer; an unexpected shape counts as no answer. */
export function parse<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  const parsed = z.safeParse(schema, answer);
  if (!parsed.success) throw new Error('Twilio answered something else than its contract says');
  return parsed.data;
}

/** Path and query of the next page. The host in Twilio's answer is ignored, so that our login is sent nowhere else. */
export function pathOf(uri: string): string {
  const { pathname, search } = new URL(uri, 'https://api.twilio.com');
  return `${pathname}${search}`;
}
