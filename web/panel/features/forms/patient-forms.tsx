import { useLingui } from '@lingui/react/macro';
import { labelledTypes } from '#contract/forms/desk.ts';
import type { CheckedIn } from '#contract/queue.ts';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { ChevronDownIcon } from '#web/icons/chevron-down.tsx';
import { DownloadIcon } from '#web/icons/download.tsx';
import { ExternalIcon } from '#web/icons/external.tsx';
import { FormIcon } from '#web/icons/form.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Counter } from '#web/panel/ui/status-badge.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import { FormsLoadError } from './list-states.tsx';
import css from './todays-forms.module.css';
import { useDownloadForm, useOpenForm } from './use-form-file.ts';
import { useShownName } from './use-shown-name.ts';
import { usePatientForms, useSaveAll } from './use-todays-forms.ts';

type Member = NonNullable<ReturnType<typeof usePatientForms>['data']>[number];
type Form = Member['forms'][number];

/** The forms of one visit's family, member by member. A click opens a form in a new tab. */
export function PatientForms({ patient, onClose }: { patient: CheckedIn; onClose: () => void }) {
  const { t } = useLingui();
  const name = useShownName()(patient.patientName);
  const forms = usePatientForms(patient);
  const all = useSaveAll();
  const keys = (forms.data ?? []).flatMap((member) => member.forms.map(({ objectKey }) => objectKey));
  const footer = (
    <>
      {keys.length > 1 && (
        <Button icon={DownloadIcon} busy={all.isPending} onClick={() => all.mutate(keys)}>
          {t`Download All`}
        </Button>
      )}
      <Button onClick={onClose}>{t`Close`}</Button>
    </>
  );
  return (
    <Dialog title={t`Forms for ${name}`} onClose={onClose} footer={footer}>
      {forms.isPending && <Skeleton height={120} />}
      {forms.isError && !forms.data && <FormsLoadError query={forms} />}
      {forms.data?.length === 0 && <p className={css.none}>{t`No forms`}</p>}
      {forms.data?.map((member, i) => (
        <MemberForms key={i} member={member} />
      ))}
      <ErrorText error={all.error} />
    </Dialog>
  );
}

function MemberForms({ member: { name, forms } }: { member: Member }) {
  const { t } = useLingui();
  return (
    <details className={css.member} open>
      <summary>
        <ChevronDownIcon />
        <bdi>{useShownName()(name)}</bdi>
        <Counter>{forms.length}</Counter>
      </summary>
      {forms.length === 0 && <p className={css.none}>{t`No forms`}</p>}
      {forms.length > 0 && (
        <ul className={css.forms}>
          {forms.map((form) => (
            <FormRow key={form.id} form={form} />
          ))}
        </ul>
      )}
    </details>
  );
}

const iconOf = ({ outcome }: Form) => (outcome === 'review' ? WarningIcon : outcome === 'clear' ? CheckIcon : FormIcon);

/** The label alone does not name the form. */
const needsFormName = ({ outcome, formType }: Form) =>
  outcome === null && !(labelledTypes as readonly string[]).includes(formType);

function FormRow({ form }: { form: Form }) {
  const { t } = useLingui();
  const tab = useOpenForm();
  const save = useDownloadForm();
  const { label, formName, objectKey } = form;
  return (
    <li>
      <Button
        className={css.form}
        icon={iconOf(form)}
        busy={tab.isPending}
        data-review={form.outcome === 'review' || undefined}
        onClick={() => tab.mutate(objectKey)}
      >
        <span className={css.label}>{label}</span>
        {needsFormName(form) && <span className={css.formName}>{formName}</span>}
        <ExternalIcon size={14} />
        <VisuallyHidden>{t`(opens in a new tab)`}</VisuallyHidden>
      </Button>
      <IconButton
        label={t`Download ${label}`}
        icon={DownloadIcon}
        tip="below-end"
        aria-busy={save.isPending || undefined}
        onClick={() => save.isPending || save.mutate(objectKey)}
      />
      <ErrorText error={tab.error ?? save.error} />
    </li>
  );
}
