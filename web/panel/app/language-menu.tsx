import { useLingui } from '@lingui/react/macro';
import { languages, setLanguage, useLanguage, type Language } from '#web/kit/i18n.ts';
import { useSavePreference } from '#web/kit/session.ts';
import { IconButton } from '#web/panel/ui/button.tsx';
import { LanguagesIcon } from '#web/icons/languages.tsx';
import { Menu, MenuItem } from '#web/panel/ui/menu.tsx';

/** Chooses the language, for this person and on this machine. Works signed out too. */
export function LanguageMenu() {
  const { t } = useLingui();
  const shown = useLanguage();
  const save = useSavePreference();
  const choose = (language: Language) => {
    void setLanguage(language);
    void save({ language });
  };
  return (
    <Menu button={(props) => <IconButton {...props} label={t`Language`} icon={LanguagesIcon} />}>
      {(Object.keys(languages) as Language[]).map((language) => (
        <MenuItem key={language} checked={language === shown} onSelect={() => choose(language)}>
          <span lang={language}>{languages[language]}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}
