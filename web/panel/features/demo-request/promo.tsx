import { useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { requestDemoHash } from '#contract/tour.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { CarIcon } from '#web/icons/car.tsx';
import { DoorIcon } from '#web/icons/door.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import css from './promo.module.css';

const openDialog = () => import('./request-demo.tsx');
const RequestDemo = lazy(() => openDialog().then((module) => ({ default: module.RequestDemo })));

/** What the product does in three steps, for visitors, with a button that requests a demo. `email` is the visitor's, if known. */
export function Promo({ email = '' }: { email?: string }) {
  const { t } = useLingui();
  const [asking, setAsking] = useState(() => location.hash === requestDemoHash);
  const steps = [
    { icon: CarIcon, says: t`Patients say “I'm here” on their phone and wait in the car.` },
    { icon: SendIcon, says: t`You see who has arrived and call them in with one click.` },
    { icon: DoorIcon, says: t`They walk straight in. Nobody sits in the waiting room.` },
  ];
  return (
    <footer className={css.promo}>
      <div className={css.claim}>
        <p className={css.text}>{t`The zero-contact patient check-in app`}</p>
        <Button
          onPointerEnter={() => void openDialog()}
          onFocus={() => void openDialog()}
          onClick={() => setAsking(true)}
        >{t`Request Demo`}</Button>
      </div>
      <ol className={css.steps}>
        {steps.map(({ icon: StepIcon, says }) => (
          <li key={says}>
            <span className={css.icon}>
              <StepIcon size={20} />
            </span>
            {says}
          </li>
        ))}
      </ol>
      {asking && (
        <Suspense fallback={null}>
          <RequestDemo email={email} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </footer>
  );
}
