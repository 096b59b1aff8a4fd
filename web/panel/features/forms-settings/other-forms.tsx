import { useLingui } from '@lingui/react/macro';
import type { KnownForm } from '#contract/forms/settings.ts';
import { productName } from '#web/kit/title.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { EyeIcon } from '#web/icons/eye.tsx';
import { MoreIcon } from '#web/icons/more.tsx';
import { PencilIcon } from '#web/icons/pencil.tsx';
import { PlusIcon } from '#web/icons/plus.tsx';
import { RefreshIcon } from '#web/icons/refresh.tsx';
import { TrashIcon } from '#web/icons/trash.tsx';
import { UndoIcon } from '#web/icons/undo.tsx';
import { Menu, MenuItem } from '#web/panel/ui/menu.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import css from './others.module.css';

interface OtherFormsProps {
  forms: readonly KnownForm[];
  onAsk: (form: KnownForm) => void;
  onPreview: (form: KnownForm, name: string) => void;
  onReplace: (form: KnownForm) => void;
  onEdit: (form: KnownForm) => void;
  onRemove: (form: KnownForm) => void;
  onVersionBefore: (form: KnownForm) => void;
}

/** The forms that the office does not ask for. */
export function OtherForms({ forms, onAsk, onPreview, onReplace, onEdit, onRemove, onVersionBefore }: OtherFormsProps) {
  const { t } = useLingui();
  const language = useLanguage();
  if (forms.length === 0) return <p className={css.says}>{t`You’re asking for every form.`}</p>;
  return (
    <ul className={css.rows}>
      {forms.map((form) => {
        const name = form.name[language];
        return (
          <li key={form.id} className={css.row}>
            <div className={css.text}>
              <p className={css.name}>
                <bdi>{name}</bdi>
              </p>
              <p className={css.says}>
                {form.own ? t`Your own form, version ${form.version}` : t`Included with ${productName}`}
              </p>
            </div>
            <div className={css.buttons}>
              <Button size="s" icon={PlusIcon} onClick={() => onAsk(form)}>
                {t`Ask patients for it`}
                <VisuallyHidden> {name}</VisuallyHidden>
              </Button>
              <Menu
                button={(props) => (
                  <IconButton
                    {...props}
                    label={t`More about ${name}`}
                    icon={MoreIcon}
                    variant="subtle"
                    tip="below-end"
                  />
                )}
              >
                <MenuItem icon={EyeIcon} onSelect={() => onPreview(form, name)}>{t`Preview`}</MenuItem>
                {form.own && <MenuItem icon={PencilIcon} onSelect={() => onEdit(form)}>{t`Edit questions`}</MenuItem>}
                <MenuItem icon={RefreshIcon} onSelect={() => onReplace(form)}>{t`Replace with a file…`}</MenuItem>
                {form.own && form.version > 1 && (
                  <MenuItem
                    icon={UndoIcon}
                    onSelect={() => onVersionBefore(form)}
                  >{t`Revert to previous version`}</MenuItem>
                )}
                {form.own && (
                  <MenuItem icon={TrashIcon} onSelect={() => onRemove(form)}>{t`Remove this form`}</MenuItem>
                )}
              </Menu>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

interface RemovedFormsProps {
  forms: readonly KnownForm[];
  onPutBack: (form: KnownForm) => void;
}

/** The office's own forms that were removed and can be restored. */
export function RemovedForms({ forms, onPutBack }: RemovedFormsProps) {
  const { t } = useLingui();
  const language = useLanguage();
  if (forms.length === 0) return null;
  return (
    <details className={css.removed}>
      <summary>{t`Removed forms (${forms.length})`}</summary>
      <ul className={css.rows}>
        {forms.map((form) => (
          <li key={form.id} className={css.row}>
            <p className={css.name}>
              <bdi>{form.name[language]}</bdi>
            </p>
            <Button size="s" icon={UndoIcon} onClick={() => onPutBack(form)}>
              {t`Restore`}
              <VisuallyHidden> {form.name[language]}</VisuallyHidden>
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
