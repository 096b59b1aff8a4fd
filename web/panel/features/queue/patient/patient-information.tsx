import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { QueueEntry } from '#contract/queue.ts';
import { Card } from '#web/panel/ui/card.tsx';
import { PatientBirthday, PatientName, PatientPhone, usePrivacy } from '#web/panel/features/queue/privacy.tsx';
import css from './visit-panel.module.css';

interface PatientInformationProps {
  visit: QueueEntry;
  /** Who holds the phone, if that is no patient. */
  contactName: string | null;
}

/** How to reach the patient (one press calls), and who is being seen where there are several. The heading has the name and the arrival. */
export function PatientInformation({ visit, contactName }: PatientInformationProps) {
  const { t } = useLingui();
  const [patient] = visit.activePatients;
  const isPrivate = usePrivacy();
  return (
    <Card level={3} title={t`Patient Information`}>
      <dl className={css.facts}>
        <Fact label={t`Mobile`}>
          {isPrivate ? (
            <PatientPhone phone={visit.username} />
          ) : (
            <a href={`tel:${visit.username}`}>
              <PatientPhone phone={visit.username} />
            </a>
          )}
        </Fact>
        {contactName !== null && (
          <Fact label={t`Contact`}>
            <PatientName name={contactName} />
          </Fact>
        )}
        {visit.activePatients.length < 2 && (
          <Fact label={t`Date of birth`}>
            {patient?.birthDate ? <PatientBirthday date={patient.birthDate} /> : t`not given`}
          </Fact>
        )}
        <Fact label={t`Language`}>{visit.language === 'es' ? t`Spanish` : t`English`}</Fact>
        {visit.activePatients.length > 1 && (
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
        )}
      </dl>
    </Card>
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
