import { useLingui } from '@lingui/react/macro';
import { useLayoutEffect, useRef, useState } from 'react';
import { PlusIcon } from '#web/icons/plus.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Select } from '#web/panel/ui/field.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import css from './editor.module.css';
import { EntryFields } from './entry-fields.tsx';
import { kinds, moveBy, newEntry, type DraftProblem, type Entry, type FormDraft, type Kind } from './form-draft.ts';
import { useKindNames } from './use-kind-names.ts';

interface EntryListProps {
  draft: FormDraft;
  problems: Record<string, DraftProblem>;
  onChange: (draft: FormDraft) => void;
}

/** The sections, questions, texts and scores in their order, and the button that adds one. */
export function EntryList({ draft, problems, onChange }: EntryListProps) {
  const { t } = useLingui();
  const names = useKindNames();
  const [kind, setKind] = useState<Kind>('string');
  const list = useRef<HTMLOListElement>(null);
  const latest = useRef(draft);
  // Undo puts an entry back into the list of that moment.
  useLayoutEffect(() => {
    latest.current = draft;
  });
  const { entries } = draft;
  const set = (next: Entry[]) => onChange({ ...latest.current, entries: next });
  const focusField = (at: number) =>
    requestAnimationFrame(() => list.current?.children[at]?.querySelector('textarea')?.focus());
  const add = () => {
    set([...entries, newEntry(kind)]);
    focusField(entries.length);
  };
  const remove = (at: number) => {
    const removed = entries[at];
    if (!removed) return;
    set(entries.toSpliced(at, 1));
    focusField(Math.min(at, entries.length - 2));
    toast({
      title: t`Deleted: ${names[removed.kind]}`,
      action: { label: t`Undo`, run: () => set(latest.current.entries.toSpliced(at, 0, removed)) },
    });
  };
  const removeOption = (entry: Entry, at: number) => {
    const removed = entry.options[at];
    if (!removed) return;
    const setOptions = (next: (options: Entry['options']) => Entry['options']) =>
      set(
        latest.current.entries.map((one) =>
          one.linkId === entry.linkId ? { ...one, options: next(one.options) } : one,
        ),
      );
    setOptions((options) => options.toSpliced(at, 1));
    focusField(entries.indexOf(entry));
    const text = removed.text.en.trim();
    toast({
      title: text === '' ? t`Deleted: an option` : t`Deleted: option “${text}”`,
      action: { label: t`Undo`, run: () => setOptions((options) => options.toSpliced(at, 0, removed)) },
    });
  };
  return (
    <>
      <ol ref={list} className={css.list}>
        {entries.map((entry, at) => (
          <EntryFields
            key={entry.linkId}
            entry={entry}
            place={at + 1}
            count={entries.length}
            problems={problems}
            onChange={(next) => set(entries.with(at, next))}
            onMove={(by) => set(moveBy(entries, at, by))}
            onRemove={() => remove(at)}
            onRemoveOption={(nth) => removeOption(entry, nth)}
          />
        ))}
      </ol>
      <div className={css.add}>
        <Select label={t`What to add`} value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
          {kinds.map((one) => (
            <option key={one} value={one}>
              {names[one]}
            </option>
          ))}
        </Select>
        <Button icon={PlusIcon} onClick={add}>{t`Add`}</Button>
      </div>
    </>
  );
}
