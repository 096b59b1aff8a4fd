import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { setLanguage } from '#web/kit/i18n.ts';
import { setSingleKeys } from '#web/kit/keyboard-shortcuts.ts';
import { setScheme } from '#web/kit/color-scheme.ts';
import { sessionQuery } from '#web/kit/session.ts';

/** Applies the signed-in person's language, colors and keyboard shortcuts to the page. */
export function ApplyPreferences() {
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const person = session?.person;

  const language = person?.language;
  const { theme, singleKeys } = (person?.preferences ?? {}) as {
    theme?: 'light' | 'dark' | 'auto';
    singleKeys?: boolean;
  };
  useEffect(() => {
    if (language) void setLanguage(language);
  }, [language]);
  useEffect(() => {
    if (theme) setScheme(theme);
  }, [theme]);
  useEffect(() => setSingleKeys(singleKeys ?? true), [singleKeys]);
  return null;
}
