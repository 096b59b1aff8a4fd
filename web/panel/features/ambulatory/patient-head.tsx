import { Trans, useLingui } from '@lingui/react/macro';
import type { AmbuPatientFile } from '#contract/ambulatory/patients.ts';
import { BellIcon } from '#web/icons/bell.tsx';
import { CloseCircleIcon } from '#web/icons/close-circle.tsx';
import { MessageIcon } from '#web/icons/message.tsx';
import { PrintIcon } from '#web/icons/print.tsx';
import { RefreshIcon } from '#web/icons/refresh.tsx';
import { PatientName, PatientPhone } from '#web/panel/features/queue/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import css from './details.module.css';
import { HeadCallback } from './head-callback.tsx';
import { PatientStatus, TextTrouble } from './patient-status.tsx';
import { PlainDay } from '#web/kit/plain-day.tsx';
import { idsOf, useFollowUp, useOpenChat } from './use-patient-file.ts';
import { useRaiseCallback } from './use-raise-callback.ts';

/** Who it is, how to reach them, and what the desk can do. */
export function PatientHead({ file }: { file: AmbuPatientFile }) {
  const { t } = useLingui();
  const { patient } = file;
  const ids = idsOf(patient);
  const chat = useOpenChat();
  const followUp = useFollowUp(ids);
  const callback = useRaiseCallback(ids);
  const { status, day, episodeDate } = patient;
  const { phoneNumber, email } = patient.userData;
  return (
    <header className={css.head}>
      <div className={css.who}>
        <h1>
          <PatientName name={patient.patientName} />
        </h1>
        <dl className={css.facts}>
          <div>
            <dt>{t`Phone`}</dt>
            <dd>
              <a href={`tel:${phoneNumber}`}>
                <PatientPhone phone={phoneNumber} />
              </a>
            </dd>
          </div>
          <div>
            <dt>{t`Email`}</dt>
            <dd>{email === null ? '–' : <a href={`mailto:${email}`}>{email}</a>}</dd>
          </div>
          <div>
            <dt>{t`Surgery`}</dt>
            <dd>
              <PlainDay day={episodeDate} />
              {status === 'active' && day > 0 && (
                <>
                  {' · '}
                  <Trans>Day {day}</Trans>
                </>
              )}
            </dd>
          </div>
          <div>
            <dt>{t`Status`}</dt>
            <dd>
              <PatientStatus patient={patient} />
              <TextTrouble patient={patient} />
            </dd>
          </div>
          <HeadCallback callbacks={file.callbacks} />
        </dl>
      </div>
      <div className={css.buttons}>
        <Button icon={MessageIcon} variant="filled" busy={chat.isPending} onClick={() => chat.mutate(file)}>
          {t`Open Chat`}
        </Button>
        {status === 'active' && !patient.nurseCallback && (
          <Button icon={BellIcon} busy={callback.isPending} onClick={() => callback.mutate()}>
            {t`Ask a nurse to call`}
          </Button>
        )}
        {status === 'active' && (
          <Button icon={CloseCircleIcon} busy={followUp.isPending} onClick={() => followUp.setActive(false)}>
            {t`End surveys`}
          </Button>
        )}
        {patient.endedBy === 'office' && (
          <Button icon={RefreshIcon} busy={followUp.isPending} onClick={() => followUp.setActive(true)}>
            {t`Resume surveys`}
          </Button>
        )}
        <Button icon={PrintIcon} onClick={() => window.print()}>
          {t`Print`}
        </Button>
      </div>
    </header>
  );
}
