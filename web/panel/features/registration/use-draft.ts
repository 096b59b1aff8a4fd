import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { readDraft, saveDraft } from '#contract/practice/registration.ts';
import { call } from '#web/kit/call.ts';
import { newFormId, type Draft } from './practice-draft.ts';

const pauseMs = 600;
const againMs = 5_000;

export interface Form {
  formId: string;
  draft: Draft;
  /** By the server's clock; null before the first time. */
  savedAt: string | null;
}

/** The form that the person left unfinished, on any device. */
export function useOpenForm() {
  return useQuery({
    queryKey: ['registration', 'draft'],
    queryFn: async ({ signal }) => (await call(readDraft, {}, { signal })) as Form | null,
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** The draft of a form: saved on the server while the person types, and replaced when another device has a newer one. */
export function useDraft(opened: Form | null, fresh: Draft) {
  const [form, setForm] = useState<Form>(() => opened ?? { formId: newFormId(), draft: fresh, savedAt: null });
  const [unsaved, setUnsaved] = useState(false);
  const latest = useRef(form);
  const isUnsaved = useRef(false);
  const isSaving = useRef(false);
  const closed = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const save = async () => {
    clearTimeout(timer.current);
    if (!isUnsaved.current || isSaving.current || closed.current) return;
    isUnsaved.current = false;
    isSaving.current = true;
    const { formId, draft } = latest.current;
    const saved = await call(saveDraft, { params: { formId }, body: draft }, { keepalive: true }).catch(() => null);
    isSaving.current = false;
    if (closed.current) return;
    if (saved) setForm((latest.current = { ...latest.current, savedAt: saved.savedAt }));
    else isUnsaved.current = true;
    setUnsaved(isUnsaved.current);
    if (isUnsaved.current) timer.current = setTimeout(() => void save(), saved ? pauseMs : againMs);
  };

  const edit = (change: (draft: Draft) => Draft) => {
    latest.current = { ...latest.current, draft: change(latest.current.draft) };
    setForm(latest.current);
    isUnsaved.current = true;
    setUnsaved(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void save(), pauseMs);
  };

  const look = useEffectEvent(async () => {
    if (document.visibilityState === 'hidden') return save();
    if (isUnsaved.current || isSaving.current) return;
    const savedDraft = await call(readDraft).catch(() => null);
    const { savedAt } = latest.current;
    if (!savedDraft || isUnsaved.current || isSaving.current || (savedAt !== null && savedDraft.savedAt <= savedAt))
      return;
    latest.current = savedDraft;
    setForm(savedDraft);
  });
  const leave = useEffectEvent(() => void save());
  useEffect(() => {
    const onChange = () => void look();
    document.addEventListener('visibilitychange', onChange);
    return () => {
      document.removeEventListener('visibilitychange', onChange);
      leave();
    };
  }, []);

  /** Stops saving: the office is registered. */
  const close = () => {
    closed.current = true;
    clearTimeout(timer.current);
  };
  return { ...form, edit, close, unsaved };
}
