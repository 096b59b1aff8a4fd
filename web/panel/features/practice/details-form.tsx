import { useLingui } from '@lingui/react/macro';
import { useRef, useState, type FormEvent } from 'react';
import { wrongDetails, type OfficeDetails } from '#contract/practice/details.ts';
import { wrongTexts, type Field } from '#contract/practice/registration.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { textFields } from '#web/kit/text-field.ts';
import { useEditable } from '#web/kit/use-editable.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { HowYouWork, PracticeAddress, YourPractice, type TextName } from './details-fields.tsx';
import css from './queue-settings-form.module.css';
import { SaveBar } from '#web/panel/ui/save-bar.tsx';
import { refusedFields, useSaveOfficeDetails } from './use-office-details.ts';

export type SavedDetails = OfficeDetails & { npi: string; npiProvisional: boolean };

interface DetailsFormProps {
  saved: SavedDetails;
  /** The office's agreement is not signed yet. */
  unsigned?: boolean;
  onSaved?: () => void;
}

export function DetailsForm({ saved, unsigned = false, onSaved }: DetailsFormProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const save = useSaveOfficeDetails({ unsigned });
  const form = useRef<HTMLFormElement>(null);
  const { base, draft, setDraft, changed, overtaken, restart } = useEditable(saved, editing);
  const [tried, setTried] = useState(false);

  const start = (from: SavedDetails) => {
    restart(from);
    setTried(false);
    save.reset();
  };

  const refused = refusedFields(save.error);
  const wrong = [...(tried ? wrongDetails(draft, base) : []), ...refused];
  const errorAt = (field: Field) => (wrong.includes(field) ? { error: wrongTexts[field][language] } : {});
  const edit = (change: Partial<OfficeDetails>) => {
    setDraft({ ...draft, ...change });
    if (refused.length > 0) save.reset();
  };
  const focusFirst = () =>
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]:not(fieldset)')?.focus());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (wrongDetails(draft, base).length > 0) return void focusFirst();
    const { name, addressLine1, city, state, zip, email, itContact, emr, patientSize, agesTreated, url, timeZone } =
      draft;
    const body = {
      name,
      addressLine1,
      city,
      state,
      zip,
      email,
      itContact,
      emr,
      patientSize,
      agesTreated,
      url,
      timeZone,
    };
    save.mutate(body, {
      onSuccess(now) {
        start(now);
        toast({ title: t`Office details saved` });
        onSaved?.();
      },
      onError: () => void focusFirst(),
    });
  };

  const fields = { draft, saved: base, edit, errorAt, field: textFields<TextName>(draft, edit, errorAt) };
  return (
    <form ref={form} className={css.form} onSubmit={submit} noValidate>
      {overtaken && (
        <Banner tone="amber" action={<Button size="s" onClick={() => start(saved)}>{t`Show theirs`}</Button>}>
          {t`A colleague changed these settings meanwhile. If you save, yours replace theirs.`}
        </Banner>
      )}
      <YourPractice {...fields} />
      <PracticeAddress {...fields} />
      <HowYouWork {...fields} />
      <SaveBar
        changed={changed}
        saving={save.isPending}
        failed={
          save.error && refused.length === 0 ? errorMessage(save.error, t`The server could not be reached.`) : undefined
        }
        onDiscard={() => start(saved)}
        lost={t`Your changes to the office details would be lost.`}
      />
    </form>
  );
}

/** The same details, in whatever order the ages were ticked. */
function isSame(one: OfficeDetails, other: OfficeDetails): boolean {
  const plain = ({ agesTreated, ...rest }: OfficeDetails) => ({ ...rest, agesTreated: [...agesTreated].sort() });
  const [a, b] = [plain(one), plain(other)];
  return (Object.keys(a) as (keyof OfficeDetails)[]).every((field) => String(a[field]) === String(b[field]));
}

const editing = {
  toDraft: (saved: SavedDetails): OfficeDetails => saved,
  isChanged: (draft: OfficeDetails, base: SavedDetails) => !isSame(draft, base),
  isSame,
};
