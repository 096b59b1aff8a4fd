import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { FrontPage as PlainFrontPage, type FrontPageProps } from '#web/panel/ui/front-page.tsx';
import { CarIcon } from '#web/icons/car.tsx';
import { DoorIcon } from '#web/icons/door.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import css from './pitch.module.css';

export interface FrontPageFrame {
  /** Language and color scheme, in the top corner. */
  corner: ReactNode;
  /** Notices across the top of the page. */
  notices?: ReactNode;
  /** Shown beside the form; by default what the product does. */
  aside?: ReactNode;
  /** Below the page. */
  footer?: ReactNode;
  look?: FrontPageProps['look'];
  /** Beside the product's name. */
  tagline?: string;
}

/** The product's pitch with the sign-in form beside it. */
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
