import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { productName } from '#web/kit/title.ts';
import { CarIcon, DoorIcon, SendIcon } from '#web/ui/plain/icons.tsx';
import css from './front-page.module.css';

export interface Frame {
  /** Language and colours, at the top end. */
  corner: ReactNode;
  /** What everyone must know, across the page. */
  notices?: ReactNode;
}

/** What stands before the panel: the product at the start, what there is to do beside it. */
export function FrontPage({ corner, notices, children }: Frame & { children: ReactNode }) {
  return (
    <div className={css.page}>
      {notices}
      <div className={css.split}>
        <Pitch />
        <div className={css.side}>
          <header className={css.top}>
            <span className={css.product}>{productName}</span>
            <div className={css.corner}>{corner}</div>
          </header>
          <main id="main" className={css.main}>
            {children}
          </main>
        </div>
      </div>
    </div>
  );
}

function Pitch() {
  const { t } = useLingui();
  return (
    <aside className={css.promise} aria-label={productName}>
      <p className={css.name}>{productName}</p>
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
    </aside>
  );
}
