import { useLingui } from '@lingui/react/macro';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { businessTypes, type BusinessType, type MerchantForm } from '#contract/merchant.ts';
import { textFields } from '#web/kit/text-field.ts';
import { AddressInputs } from '#web/panel/features/practice/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { Select, TextInput } from '#web/panel/ui/field.tsx';
import { PhoneInput } from '#web/panel/ui/phone-input.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { addressOf, detailsOf, wrongAddress, wrongDetails, type Draft, type DraftField } from './answers-draft.ts';
import { useSaveAnswers } from './use-merchant.ts';
import css from './merchant.module.css';

interface AnswerStepProps {
  form: MerchantForm;
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  onSaved: () => void;
}

/** Step 1: the address on the business's tax and bank papers. */
export function AddressStep({ form, draft, change, onSaved }: AnswerStepProps) {
  const { t } = useLingui();
  const save = useSaveAnswers();
  const [wrong, setWrong] = useState<DraftField[]>([]);
  const messages: Partial<Record<DraftField, string>> = {
    addressLine1: t`Please enter your practice's address`,
    city: t`Please enter your practice's city`,
    state: t`Please select your practice's state`,
    zip: t`Please enter your practice's ZIP code`,
  };
  const errorAt = (field: DraftField) => (wrong.includes(field) ? { error: messages[field] ?? '' } : {});
  return (
    <AnswerForm
      title={t`Address`}
      lead={t`The address of the business that gets the payments, as on its tax papers.`}
      isOver={isOver(form)}
      busy={save.isPending}
      error={save.error}
      check={() => {
        const found = wrongAddress(draft);
        setWrong(found);
        return found.length === 0;
      }}
      onSave={() => save.mutate({ addressAnswers: addressOf(draft) }, { onSuccess: onSaved })}
    >
      <AddressInputs
        field={textFields<'addressLine1' | 'city' | 'state' | 'zip'>(draft, change, errorAt)}
        required
        streetLabel={t`Street address`}
        noState={t`Select…`}
      />
    </AnswerForm>
  );
}

/** Step 2: what the business is. */
export function DetailsStep({ form, draft, change, onSaved }: AnswerStepProps) {
  const { t } = useLingui();
  const save = useSaveAnswers();
  const [wrong, setWrong] = useState<DraftField[]>([]);
  const names = useBusinessTypes();
  const messages: Partial<Record<DraftField, string>> = {
    legalName: t`Please enter the legal name of the business`,
    knownAs: t`Please enter the name on card statements`,
    businessType: t`Please select the type of business`,
    phone: t`Invalid phone number`,
    email: t`Please enter your email address`,
  };
  const errorAt = (field: DraftField) => (wrong.includes(field) ? { error: messages[field] ?? '' } : {});
  const field = textFields<'legalName' | 'knownAs' | 'email'>(draft, change, errorAt);
  return (
    <AnswerForm
      title={t`Details`}
      lead={t`We fill these into the payment provider’s form, so that you type them once.`}
      isOver={isOver(form)}
      busy={save.isPending}
      error={save.error}
      check={() => {
        const found = wrongDetails(draft);
        setWrong(found);
        return found.length === 0;
      }}
      onSave={() => {
        const detailsAnswers = detailsOf(draft);
        if (detailsAnswers) save.mutate({ detailsAnswers }, { onSuccess: onSaved });
      }}
    >
      <TextInput
        label={t`Legal name of the business`}
        required
        autoComplete="organization"
        maxLength={120}
        {...field('legalName')}
      />
      <div className={css.pair}>
        <TextInput
          label={t`Name on card statements`}
          hint={t`Patients see it on their card statement.`}
          required
          autoComplete="off"
          maxLength={60}
          {...field('knownAs')}
        />
        <Select
          label={t`Type of business`}
          name="businessType"
          required
          value={draft.businessType}
          {...errorAt('businessType')}
          onChange={(event) =>
            change({ businessType: businessTypes.find((type) => type === event.target.value) ?? '' })
          }
        >
          <option value="">{t`Select…`}</option>
          {businessTypes.map((type) => (
            <option key={type} value={type}>
              {names[type]}
            </option>
          ))}
        </Select>
      </div>
      <div className={css.pair}>
        <PhoneInput
          label={t`Phone number of the business`}
          name="phone"
          value={draft.phone}
          {...errorAt('phone')}
          onChange={(phone) => change({ phone })}
        />
        <TextInput
          label={t`Email for questions about payments`}
          type="email"
          required
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
          {...field('email')}
        />
      </div>
    </AnswerForm>
  );
}

/** After the submission the provider has the answers: they are shown and cannot be changed here. */
const isOver = ({ state }: MerchantForm) => state !== 'draft' && state !== 'open';

interface AnswerFormProps {
  title: string;
  lead: string;
  isOver: boolean;
  busy: boolean;
  error: unknown;
  /** Marks what is wrong; true if nothing is. */
  check: () => boolean;
  onSave: () => void;
  children: ReactNode;
}

function AnswerForm({ title, lead, isOver: over, busy, error, check, onSave, children }: AnswerFormProps) {
  const { t } = useLingui();
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || over) return;
    if (check()) return onSave();
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  };
  return (
    <Card title={title}>
      <form ref={form} noValidate onSubmit={submit}>
        <fieldset className={css.fields} disabled={over} aria-label={title}>
          <p className={css.text}>{over ? t`You submitted these answers. The payment provider has them now.` : lead}</p>
          {children}
          <ErrorText error={error} />
          {!over && (
            <div className={css.buttons}>
              <Button type="submit" variant="filled" busy={busy}>
                {t`Save and continue`}
              </Button>
            </div>
          )}
        </fieldset>
      </form>
    </Card>
  );
}

function useBusinessTypes(): Record<BusinessType, string> {
  const { t } = useLingui();
  return {
    INDIVIDUAL_SOLE_PROPRIETORSHIP: t`Sole proprietorship`,
    LIMITED_LIABILITY_COMPANY: t`Limited liability company (LLC)`,
    CORPORATION: t`Corporation`,
    PARTNERSHIP: t`Partnership`,
    TAX_EXEMPT_ORGANIZATION: t`Tax-exempt organization`,
    GOVERNMENT_AGENCY: t`Government agency`,
  };
}
