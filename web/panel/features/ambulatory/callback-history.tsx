import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { NurseCallback } from '#contract/ambulatory/callbacks.ts';
import { OfficeMoment } from '#web/kit/when.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { CallbackBadge } from './callback-badge.tsx';
import { CallbackButtons } from './callback-buttons.tsx';
import { CallbackReasons } from './callback-reasons.tsx';
import { CloseCallback } from './close-callback.tsx';
import css from './details.module.css';

/** The patient's callbacks: those to be made, with what can be done, and the closed ones with their notes. */
export function CallbackHistory({ callbacks }: { callbacks: readonly NurseCallback[] }) {
  const { t } = useLingui();
  const [closing, setClosing] = useState<NurseCallback | null>(null);
  return (
    <Card title={t`Nurse callbacks`}>
      {callbacks.length === 0 && <p className={css.small}>{t`No callbacks yet.`}</p>}
      <ul>
        {callbacks.map((callback) => (
          <Entry key={callback.id} callback={callback} onClose={setClosing} />
        ))}
      </ul>
      {closing && <CloseCallback callback={closing} onClose={() => setClosing(null)} />}
    </Card>
  );
}

interface EntryProps {
  callback: NurseCallback;
  onClose: (callback: NurseCallback) => void;
}

function Entry({ callback, onClose }: EntryProps) {
  const { raisedAt, closedBy, closedAt, note } = callback;
  return (
    <li className={css.entry}>
      <div className={css.entryText}>
        <CallbackReasons callback={callback} />
        <p className={css.small}>
          <OfficeMoment at={raisedAt} />
          {closedAt !== null && (
            <>
              {' · '}
              {closedBy === null ? (
                <Trans>
                  closed <OfficeMoment at={closedAt} />
                </Trans>
              ) : (
                <Trans>
                  closed by {closedBy.name}, <OfficeMoment at={closedAt} />
                </Trans>
              )}
            </>
          )}
        </p>
        {note !== '' && (
          <p className={css.note} dir="auto">
            {note}
          </p>
        )}
      </div>
      <CallbackBadge callback={callback} />
      <CallbackButtons callback={callback} onClose={onClose} />
    </li>
  );
}
