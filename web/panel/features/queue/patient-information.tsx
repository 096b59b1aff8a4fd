import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { QueueEntry } from '#contract/queue.ts';
import { Time, WaitingTime } from '#web/kit/format.tsx';
import { languages } from '#web/kit/i18n.ts';
import { Card } from '#web/panel/ui/card.tsx';
import { PatientBirthday, PatientName, PatientPhone } from './privacy.tsx';
import css from './visit-panel.module.css';

/** Who the patient is, how to reach them, and who else is being seen. */
export function PatientInformation({ visit }: { visit: QueueEntry }) {
  const { t } = useLingui();
  const [patient] = visit.activePatients;
  return (
    <Card level={3} title={t`Patient Information`}>
      <dl className={css.facts}>
        <Fact label={t`Name`}>
          <PatientName name={visit.patientName} />
        </Fact>
        <Fact label={t`Mobile`}>
          <PatientPhone phone={visit.username} />
        </Fact>
        <Fact label={t`Date of birth`}>
          {patient?.birthDate ? <PatientBirthday date={patient.birthDate} /> : t`not given`}
        </Fact>
        <Fact label={t`Arrived`}>
          <Time at={visit.createdAt} /> · <Ago since={visit.createdAt} />
        </Fact>
        <Fact label={t`Language`}>
          <span lang={visit.language}>{languages[visit.language]}</span>
        </Fact>
        <Fact label={t`Patients`}>
          <ul>
            {visit.activePatients.map(({ name, birthDate }, i) => (
              <li key={i}>
                <PatientName name={name} />
                {birthDate && (
                  <>
                    , <PatientBirthday date={birthDate} />
                  </>
                )}
              </li>
            ))}
          </ul>
        </Fact>
      </dl>
    </Card>
  );
}

function Ago({ since }: { since: string }) {
  return (
    <Trans>
      <WaitingTime since={since} /> ago
    </Trans>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
