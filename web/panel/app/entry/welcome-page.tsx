import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { trialDays } from '#contract/subscription.ts';
import { tourPath } from '#contract/tour.ts';
import { SignInPage } from '#web/panel/features/sign-in/sign-in-page.tsx';
import { signedInBefore } from '#web/panel/features/sign-in/signed-in-before.ts';
import { locales, useLanguage } from '#web/kit/i18n.ts';
import { usePublicConfig } from '#web/kit/public-config.ts';
import { productName } from '#web/kit/title.ts';
import { classNames } from '#web/panel/ui/class-names.ts';
import { EntryFooter } from './entry-footer.tsx';
import { entryFrame } from './entry-frame.tsx';
import { ProductScene } from './product-scene.tsx';
import { RegistrationSteps } from './registration-steps.tsx';
import css from './welcome-page.module.css';

/** `/` signed out: what the product does beside the sign-in form. Where somebody signed in before, the form comes first. */
export function WelcomePage() {
  const [isKnown] = useState(signedInBefore);
  return (
    <SignInPage
      {...entryFrame}
      look={isKnown ? 'quiet' : 'showcase'}
      aside={<Pitch withScene={!isKnown} />}
      forNewcomers={<ForNewcomers withFacts={!isKnown} />}
      footer={<EntryFooter />}
    />
  );
}

/** One promise, the product itself, and the three steps of a new practice. Staff who sign in every morning see the promise only. */
function Pitch({ withScene }: { withScene: boolean }) {
  const { t } = useLingui();
  return (
    <div className={classNames(css.pitch, !withScene && css.quiet)}>
      <p className={css.promise}>{t`Patients check in from their car, and you call them in with one click.`}</p>
      {withScene && (
        <div className={css.scene}>
          <ProductScene />
        </div>
      )}
      {withScene && <RegistrationSteps at={null} inRow />}
    </div>
  );
}

/** What it costs; nothing while the card provider does not say. */
function Price() {
  const { t } = useLingui();
  const language = useLanguage();
  const cents = usePublicConfig()?.monthlyFromCents;
  if (typeof cents !== 'number') return null;
  const price = new Intl.NumberFormat(locales[language], {
    style: 'currency',
    currency: 'USD',
    trailingZeroDisplay: 'stripIfInteger',
  }).format(cents / 100);
  return <p>{t`From ${price} a month per provider, ${trialDays} days free`}</p>;
}

/** What a new practice may do here, and what it asks first. */
function ForNewcomers({ withFacts }: { withFacts: boolean }) {
  const { t } = useLingui();
  const language = useLanguage();
  return (
    <div className={css.newcomers}>
      <p>
        <Trans>
          <strong>New to {productName}?</strong> Enter your work email and we’ll set up your practice
        </Trans>
      </p>
      {withFacts && <p>{t`HIPAA agreement included. Patients install nothing.`}</p>}
      {withFacts && <Price />}
      <a href={tourPath(language)}>{t`Take the tour: screens, HIPAA and price`}</a>
    </div>
  );
}
