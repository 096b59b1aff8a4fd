import { useLingui } from '@lingui/react/macro';
import { invalidDetails, type OfficeDetails } from '#contract/practice/details.ts';
import { fieldErrorTexts, type Field } from '#contract/practice/registration.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { textFields } from '#web/kit/text-field.ts';
import { SettingsForm } from '#web/panel/ui/settings-form.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { useSettingsForm } from '#web/panel/ui/use-settings-form.ts';
import { HowYouWork, PracticeAddress, YourPractice, type TextName } from './details-fields.tsx';
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
  const settings = useSettingsForm(saved, {
    ...editing,
    isValid: (details, registered) => invalidDetails(details, registered).length === 0,
    onRestart: save.reset,
  });
  const { base, draft, setDraft, tried } = settings;

  const refused = refusedFields(save.error);
  const wrong = [...(tried ? invalidDetails(draft, base) : []), ...refused];
  const errorAt = (field: Field) => (wrong.includes(field) ? { error: fieldErrorTexts[field][language] } : {});
  const edit = (change: Partial<OfficeDetails>) => {
    setDraft({ ...draft, ...change });
    if (refused.length > 0) save.reset();
  };
  const saveDraft = () =>
    save.mutate(bodyOf(draft), {
      onSuccess(now) {
        settings.start(now);
        toast({ title: t`Office details saved` });
        onSaved?.();
      },
      onError: settings.focusFirstError,
    });

  const fields = { draft, saved: base, edit, errorAt, field: textFields<TextName>(draft, edit, errorAt) };
  const isAtField = refused.length > 0;
  return (
    <SettingsForm
      {...settings.frame}
      saving={save.isPending}
      failed={save.error && !isAtField ? errorMessage(save.error, t`The server could not be reached.`) : undefined}
      lost={t`Your changes to the office details would be lost.`}
      onSubmit={(event) => settings.submit(event, saveDraft)}
    >
      <YourPractice {...fields} />
      <PracticeAddress {...fields} />
      <HowYouWork {...fields} />
    </SettingsForm>
  );
}

/** The details without the NPI, which cannot be changed here. */
function bodyOf(draft: OfficeDetails): OfficeDetails {
  const { name, addressLine1, city, state, zip, email, phone, itContact } = draft;
  const { emr, patientSize, agesTreated, url, timeZone } = draft;
  const place = { addressLine1, city, state, zip };
  return { name, ...place, email, phone, itContact, emr, patientSize, agesTreated, url, timeZone };
}

/** Whether two details are the same; the order in which the ages were checked does not count. */
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
