import { useRef, useState, type FormEvent } from 'react';
import { useEditable, type EditableOptions } from '#web/kit/use-editable.ts';

interface SettingsFormOptions<Saved, Draft> extends EditableOptions<Saved, Draft> {
  isValid: (draft: Draft, base: Saved) => boolean;
  /** Called when the draft starts again from a saved value. */
  onRestart: () => void;
}

/** A form of settings: its draft, whether somebody has tried to save it, and the focus on its first error. */
export function useSettingsForm<Saved, Draft>(
  saved: Saved,
  { isValid, onRestart, ...options }: SettingsFormOptions<Saved, Draft>,
) {
  const form = useRef<HTMLFormElement>(null);
  const editable = useEditable(saved, options);
  const { draft, base, restart } = editable;
  const [tried, setTried] = useState(false);
  const start = (from: Saved) => {
    restart(from);
    setTried(false);
    onRestart();
  };
  const focusFirstError = () =>
    void requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]:not(fieldset)')?.focus(),
    );
  const submit = (event: FormEvent, save: () => void) => {
    event.preventDefault();
    setTried(true);
    if (isValid(draft, base)) save();
    else focusFirstError();
  };
  /** What the form's frame shows. */
  const frame = { form, changed: editable.changed, overtaken: editable.overtaken, discard: () => start(saved) };
  return { ...editable, frame, tried, start, submit, focusFirstError };
}
