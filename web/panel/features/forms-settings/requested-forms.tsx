import { useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import type { KnownForm } from '#contract/forms/settings.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { EmptyState } from '#web/panel/ui/empty-state.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { UndoIcon } from '#web/icons/undo.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { addForm, moveForm, type RequestedFormDraft, type Problems } from './requested-forms-draft.ts';
import { RequestedFormRow } from './requested-form-row.tsx';
import css from './requested-forms.module.css';
import { useReorder } from './use-reorder.ts';

interface RequestedFormsProps {
  drafts: readonly RequestedFormDraft[];
  known: readonly KnownForm[];
  problems: Problems;
  /** The key of the row that was added last; it gets the focus. */
  fresh: string | null;
  /** The list has unsaved changes. */
  isChanged: boolean;
  onChange: (change: (drafts: readonly RequestedFormDraft[]) => RequestedFormDraft[]) => void;
  onPreview: (form: KnownForm, name: string) => void;
  onReplace: (form: KnownForm) => void;
  onEdit: (form: KnownForm) => void;
  onVersionBefore: (form: KnownForm) => void;
}

interface RemovedForm {
  draft: RequestedFormDraft;
  /** Its index before. */
  at: number;
}

/** The forms that patients are asked for, in their order. Rows are dragged or moved by buttons. */
export function RequestedForms(props: RequestedFormsProps) {
  const { drafts, known, problems, fresh, isChanged, onChange, onPreview, onReplace, onEdit, onVersionBefore } = props;
  const { t } = useLingui();
  const language = useLanguage();
  const list = useRef<HTMLOListElement>(null);
  const undo = useRef<HTMLButtonElement>(null);
  const [announcement, setAnnouncement] = useState('');
  const [takenOff, setTakenOff] = useState<RemovedForm | null>(null);
  const keys = drafts.map(({ key }) => key);
  const nameOf = (draft: RequestedFormDraft) =>
    draft.name[language].trim() ||
    (known.find(({ formType }) => formType === draft.type)?.name[language] ?? draft.type);
  const move = (from: number, to: number) => {
    const one = drafts[from];
    if (!one || to < 0 || to >= drafts.length) return;
    onChange((now) => moveForm(now, from, to));
    setAnnouncement(t`${nameOf(one)}: now ${to + 1} of ${drafts.length}`);
  };
  const { dragged, handle } = useReorder(list, keys, move);
  const menuOf = (at: number) => list.current?.children[at]?.querySelector<HTMLElement>('[aria-haspopup=menu]');
  const takeOff = (draft: RequestedFormDraft, at: number) => {
    onChange((now) => now.filter(({ key }) => key !== draft.key));
    setTakenOff({ draft, at });
    const next = Math.min(at, drafts.length - 2);
    requestAnimationFrame(() => (undo.current ?? menuOf(next))?.focus());
  };
  const putBack = ({ draft, at }: RemovedForm) => {
    onChange((now) => now.toSpliced(at, 0, draft));
    setTakenOff(null);
    requestAnimationFrame(() => menuOf(at)?.focus());
  };
  const isOff = takenOff !== null && drafts.every(({ key }) => key !== takenOff.draft.key) && isChanged;
  const off = isOff && (
    <div className={css.takenOff}>
      <p role="status">{t`${nameOf(takenOff.draft)} will be removed from the list when you save.`}</p>
      <Button ref={undo} size="s" icon={UndoIcon} onClick={() => putBack(takenOff)}>
        {t`Undo`}
      </Button>
    </div>
  );
  if (drafts.length === 0)
    return (
      <>
        <EmptyState icon={FormIcon} title={t`No form is asked for`}>
          {t`Patients check in without filling out any forms. Choose a form below, or load one.`}
        </EmptyState>
        {off}
      </>
    );
  return (
    <>
      <ol ref={list} className={css.rows} data-dragging={dragged === null ? undefined : ''}>
        {drafts.map((draft, i) => {
          const form = known.find(({ formType }) => formType === draft.type);
          return (
            <RequestedFormRow
              key={draft.key}
              draft={draft}
              form={form}
              name={nameOf(draft)}
              place={i + 1}
              count={drafts.length}
              problems={problems}
              isFresh={draft.key === fresh}
              isDragged={draft.key === dragged}
              handle={handle(draft.key)}
              onEdit={(change) =>
                onChange((now) => now.map((one) => (one.key === draft.key ? { ...one, ...change } : one)))
              }
              onMove={(by) => move(i, i + by)}
              onAgain={() => form && onChange((now) => addForm(now, form))}
              onTakeOff={() => takeOff(draft, i)}
              onPreview={() => form && onPreview(form, nameOf(draft))}
              onReplace={() => form && onReplace(form)}
              onEditQuestions={() => form && onEdit(form)}
              onVersionBefore={() => form && onVersionBefore(form)}
            />
          );
        })}
      </ol>
      {off}
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </>
  );
}
