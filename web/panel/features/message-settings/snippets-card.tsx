import { useLingui } from '@lingui/react/macro';
import { mostSnippets, type Snippet } from '#contract/practice/message-settings.ts';
import { PlusIcon } from '#web/icons/plus.tsx';
import { TrashIcon } from '#web/icons/trash.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { TextArea, TextInput } from '#web/panel/ui/field.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import type { CardProps } from './card-props.ts';
import { withSnippetBack } from './message-settings-draft.ts';
import css from './message-settings.module.css';
import { variableNames } from './variable-names.ts';

/** The texts that the desk uses often: added, changed, removed with undo. */
export function SnippetsCard({ draft, onEdit, errorAt }: CardProps) {
  const { t } = useLingui();
  const { snippets } = draft;
  const { name, office, link, reply } = variableNames;
  const change = (at: number, next: Partial<Snippet>) =>
    onEdit({ snippets: snippets.map((snippet, i) => (i === at ? { ...snippet, ...next } : snippet)) });
  const remove = (snippet: Snippet, at: number) => {
    onEdit({ snippets: snippets.filter(({ id }) => id !== snippet.id) });
    const putBack = () => onEdit((now) => ({ snippets: withSnippetBack(now.snippets, snippet, at) }));
    toast({ title: t`Snippet removed`, action: { label: t`Undo`, run: putBack } });
  };
  const add = () =>
    onEdit({ snippets: [...snippets, { id: crypto.randomUUID(), name: '', text: { en: '', es: '' } }] });
  return (
    <Card title={t`Snippets`}>
      <p className={css.note}>
        {t`Texts you use often. ${name} becomes the patient’s first name, ${office} your practice’s name, ${link} your check-in page and ${reply} your expected reply time.`}
      </p>
      <ul className={css.snippets}>
        {snippets.map((snippet, i) => (
          <li key={snippet.id}>
            <fieldset className={css.snippet}>
              <legend>{snippet.name.trim() || t`New snippet`}</legend>
              <TextInput
                label={t`Name`}
                value={snippet.name}
                autoComplete="off"
                {...errorAt(`snippets.${i}.name`)}
                onChange={(event) => change(i, { name: event.target.value })}
              />
              <div className={css.twos}>
                {(['en', 'es'] as const).map((language) => (
                  <TextArea
                    key={language}
                    label={language === 'en' ? t`In English` : t`In Spanish`}
                    lang={language}
                    rows={3}
                    value={snippet.text[language]}
                    {...errorAt(`snippets.${i}.${language}`)}
                    onChange={(event) => change(i, { text: { ...snippet.text, [language]: event.target.value } })}
                  />
                ))}
              </div>
              <div>
                <Button size="s" icon={TrashIcon} onClick={() => remove(snippet, i)}>
                  {t`Remove snippet`}
                </Button>
              </div>
            </fieldset>
          </li>
        ))}
      </ul>
      <Button icon={PlusIcon} locked={snippets.length >= mostSnippets} onClick={add}>
        {t`Add snippet`}
      </Button>
    </Card>
  );
}
