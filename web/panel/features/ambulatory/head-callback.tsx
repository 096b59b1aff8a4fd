import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { NurseCallback } from '#contract/ambulatory/callbacks.ts';
import { CallbackBadge } from './callback-badge.tsx';
import { CallbackButtons } from './callback-buttons.tsx';
import { CloseCallback } from './close-callback.tsx';
import css from './details.module.css';

/** The callback that waits, in the head of the patient's page: whether somebody has it, and what can be done. */
export function HeadCallback({ callbacks }: { callbacks: readonly NurseCallback[] }) {
  const { t } = useLingui();
  const [closing, setClosing] = useState<NurseCallback | null>(null);
  const callback = callbacks.find(({ state }) => state === 'open') ?? callbacks.find(({ state }) => state === 'taken');
  if (!callback) return null;
  return (
    <div>
      <dt>{t`Callback`}</dt>
      <dd className={css.callback}>
        <CallbackBadge callback={callback} />
        <CallbackButtons callback={callback} onClose={setClosing} />
        {closing && <CloseCallback callback={closing} onClose={() => setClosing(null)} />}
      </dd>
    </div>
  );
}
