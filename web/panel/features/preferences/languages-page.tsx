import { useLingui } from '@lingui/react/macro';
import { languages, setLanguage, useLanguage, type Language } from '#web/kit/i18n.ts';
import { useSavePreference } from '#web/kit/session.ts';
import { Card } from '#web/panel/ui/card.tsx';
import { Choices } from './choices.tsx';

/** The panel's language for this person, on every device. Applies at once. */
export function LanguagesPage() {
  const { t } = useLingui();
  const shown = useLanguage();
  const save = useSavePreference();
  const choose = (language: Language) => {
    void setLanguage(language);
    void save({ language });
  };
  const names = { en: t`English`, es: t`Spanish` };
  return (
    <>
      <Card>
        <Choices
          legend={t`Language of the panel`}
          hideLegend
          value={shown}
          onChange={choose}
          choices={(Object.keys(languages) as Language[]).map((language) => ({
            value: language,
            label: <bdi lang={language}>{languages[language]}</bdi>,
            ...(language !== shown && { hint: names[language] }),
          }))}
        />
      </Card>
      <p>{t`Patients start in the language of their phone and can change it; texts go out in that language.`}</p>
    </>
  );
}
