import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { PatientFile } from '#contract/directory.ts';
import { ArrowLeftIcon } from '#web/icons/arrow-left.tsx';
import { LockIcon } from '#web/icons/lock.tsx';
import { PhoneOffIcon } from '#web/icons/phone-off.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { useSession } from '#web/kit/session.ts';
import { FormViewer } from '#web/panel/features/forms/index.ts';
import {
  PatientBirthday,
  PatientName,
  PatientPhone,
  textErrorAdvice,
  TextNewPatient,
} from '#web/panel/features/queue/index.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button, IconButton } from '#web/panel/ui/button.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import css from './directory.module.css';
import { Family, Forms, Messages, Visits } from './patient-sections.tsx';
import { usePatient } from './use-directory.ts';

interface PatientPaneProps {
  id: string;
  onBack: () => void;
}

/** One patient: who it is, visits, forms and messages. A form opens in place of the sections. */
export function PatientPane({ id, onBack }: PatientPaneProps) {
  const { t } = useLingui();
  const patient = usePatient(id);
  const [form, setForm] = useState<PatientFile['forms'][number] | null>(null);
  const { data } = patient;
  if (!data)
    return (
      <section className={css.patient} aria-label={t`Patient`}>
        <div className={css.back}>
          <IconButton label={t`Back to all patients`} icon={ArrowLeftIcon} variant="subtle" onClick={onBack} />
        </div>
        {patient.isError ? (
          <LoadError title={t`The patient could not be loaded`} query={patient} />
        ) : (
          <div className={css.loading}>
            <Skeleton height={48} />
            <Skeleton height={160} />
            <Skeleton height={160} />
          </div>
        )}
      </section>
    );
  return (
    <section className={css.patient} aria-label={t`Patient`}>
      <Head file={data} onBack={onBack} />
      {form ? (
        <FormViewer formKey={form.objectKey} title={form.formName} onClose={() => setForm(null)} />
      ) : (
        <div className={css.sections}>
          <Visits file={data} />
          <Forms file={data} onOpen={setForm} />
          <Messages file={data} />
          <Family file={data} />
        </div>
      )}
    </section>
  );
}

function Head({ file, onBack }: { file: PatientFile; onBack: () => void }) {
  const { t } = useLingui();
  const { flags } = useSession();
  const [isTexting, setTexting] = useState(false);
  const { name, phone, birthDate } = file.patient;
  const block = file.textBlock;
  return (
    <header className={css.head}>
      <div className={css.back}>
        <IconButton label={t`Back to all patients`} icon={ArrowLeftIcon} variant="subtle" onClick={onBack} />
      </div>
      <div className={css.who}>
        <h2>{name === '' ? <PatientPhone phone={phone} /> : <PatientName name={name} />}</h2>
        <p className={css.facts}>
          {birthDate && <PatientBirthday date={birthDate} />}
          {birthDate && name !== '' && <span aria-hidden="true"> · </span>}
          {name !== '' && <PatientPhone phone={phone} />}
        </p>
      </div>
      {flags.sendSMSEnabled !== false && !block && (
        <Button size="s" icon={SendIcon} onClick={() => setTexting(true)}>
          {t`Text the check-in link`}
        </Button>
      )}
      {block && (
        <Banner tone="amber" icon={block === 'landline' ? PhoneOffIcon : LockIcon}>
          {textErrorAdvice({ problem: block, limitedUntil: null })}
        </Banner>
      )}
      {isTexting && <TextNewPatient phone={phone} onClose={() => setTexting(false)} />}
    </header>
  );
}
