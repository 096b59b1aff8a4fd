import { Plural, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Snippet } from '#contract/practice/message-settings.ts';
import type { Language } from '#contract/shapes.ts';
import { RowsIcon } from '#web/icons/rows.tsx';
import { locales, useLanguage } from '#web/kit/i18n.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { SearchInput, Select } from '#web/panel/ui/field.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { fillSnippet } from './fill-snippet.ts';
import css from './message-settings.module.css';
import { SuggestedSnippets } from './suggested-snippets.tsx';
import { useMessageSettings } from './use-message-settings.ts';

interface SnippetPickerProps {
  /** The patient's name; empty if it is unknown. */
  patientName: string;
  /** The patient's language, if it is known. */
  language?: Language;
  onChoose: (text: string) => void;
}

/** A button that opens the practice's snippets: searched, read in either language, and added to a message with one press. */
export function SnippetPicker({ onChoose, ...patient }: SnippetPickerProps) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="s" icon={RowsIcon} onClick={() => setOpen(true)}>
        {t`Snippets`}
      </Button>
      {isOpen && (
        <Dialog title={t`Snippets`} onClose={() => setOpen(false)}>
          <SnippetList
            {...patient}
            onChoose={(text) => {
              setOpen(false);
              onChoose(text);
            }}
          />
        </Dialog>
      )}
    </>
  );
}

/** The search field is there at once, so that the dialog puts the focus on it. */
function SnippetList({ language: theirs, ...rest }: SnippetPickerProps) {
  const { t } = useLingui();
  const ownLanguage = useLanguage();
  const [language, setLanguage] = useState<Language>(theirs ?? ownLanguage);
  const [search, setSearch] = useState('');
  return (
    <div className={css.stack}>
      <div className={css.finder}>
        <SearchInput
          label={t`Search snippets`}
          placeholder={t`Search snippets`}
          value={search}
          autoComplete="off"
          onChange={(event) => setSearch(event.target.value)}
        />
        <Select
          label={t`Language`}
          hideLabel
          value={language}
          onChange={(event) => setLanguage(event.target.value === 'es' ? 'es' : 'en')}
        >
          <option value="en">English</option>
          <option value="es">Español</option>
        </Select>
      </div>
      <FoundSnippets {...rest} language={language} search={search} />
    </div>
  );
}

function FoundSnippets({
  patientName,
  language,
  search,
  onChoose,
}: SnippetPickerProps & { language: Language; search: string }) {
  const { t } = useLingui();
  const settings = useMessageSettings();
  if (!settings.data)
    return settings.isError ? (
      <LoadError title={t`The snippets could not be loaded`} query={settings} />
    ) : (
      <Skeleton height={160} />
    );
  const { snippets, officeName, checkInPage, expectedReplyMinutes } = settings.data;
  const values = {
    name: patientName.trim().split(/\s+/)[0] ?? '',
    office: officeName,
    link: checkInPage,
    reply: expectedReplyMinutes === null ? '' : durationText(expectedReplyMinutes, language),
  };
  const textOf = ({ text }: Snippet) => fillSnippet(text[language] || text.en || text.es, values);
  const words = search.toLowerCase().trim();
  const found = snippets.filter(({ name, text }) => `${name} ${text.en} ${text.es}`.toLowerCase().includes(words));
  if (snippets.length === 0) return <SuggestedSnippets language={language} onChoose={onChoose} />;
  return (
    <>
      <VisuallyHidden role="status">
        <Plural value={found.length} one="# snippet" other="# snippets" />
      </VisuallyHidden>
      {found.length === 0 && <p className={css.note}>{t`No snippets found`}</p>}
      <ul className={css.found}>
        {found.map((snippet) => (
          <li key={snippet.id}>
            <button type="button" className={css.choice} onClick={() => onChoose(textOf(snippet))}>
              <strong>{snippet.name}</strong>
              <span lang={language}>{textOf(snippet)}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A time in minutes, or in hours if it is whole hours. */
function durationText(minutes: number, language: Language): string {
  const [value, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
  return new Intl.NumberFormat(locales[language], { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}
