import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { FrontPage as PlainFrontPage } from '#web/panel/ui/front-page.tsx';
import { CarIcon } from '#web/icons/car.tsx';
import { DoorIcon } from '#web/icons/door.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import css from './pitch.module.css';

export interface FrontPageFrame {
  /** Language and colours, at the top end. */
  corner: ReactNode;
  /** What everyone must know, across the page. */
  notices?: ReactNode;
  /** What stands on the panel at the start; what the product does, when there is nothing else. */
  aside?: ReactNode;
  /** Below everything. */
  footer?: ReactNode;
}

/** The product at the start, signing in beside it. */
export function FrontPage({ aside, children, ...frame }: FrontPageFrame & { children: ReactNode }) {
  return (
    <PlainFrontPage {...frame} aside={aside ?? <Pitch />} asideIsExtra={aside === undefined}>
      {children}
    </PlainFrontPage>
  );
}

function Pitch() {
  const { t } = useLingui();
  return (
    <div>
      <p className={css.claim}>{t`The zero-contact patient check-in app`}</p>
      <ol className={css.steps}>
        <li>
          <CarIcon size={20} />
          {t`Patients say “I'm here” on their phone and wait in the car.`}
        </li>
        <li>
          <SendIcon size={20} />
          {t`You see who has arrived and call them in with one click.`}
        </li>
        <li>
          <DoorIcon size={20} />
          {t`They walk straight in. Nobody sits in the waiting room.`}
        </li>
      </ol>
    </div>
  );
}
