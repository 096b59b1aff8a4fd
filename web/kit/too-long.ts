import { useLingui } from '@lingui/react/macro';
import { locales, useLanguage } from '#web/kit/i18n.ts';

/** What to do about a message with more characters than the server takes; undefined if it has not. It is never cut: who pasted it would not see that. */
export function useTooLong(text: string, longest: number): string | undefined {
  const { t } = useLingui();
  const language = useLanguage();
  if (text.length <= longest) return undefined;
  const count = text.length.toLocaleString(locales[language]);
  const most = longest.toLocaleString(locales[language]);
  return t`This message has ${count} characters; the limit is ${most}. Shorten it, or send the rest as a second message.`;
}
