import { Trans, useLingui } from '@lingui/react/macro';
import { useState, useSyncExternalStore } from 'react';
import { formatPlanPrice } from '#contract/plan-price.ts';
import { trialDays } from '#contract/subscription.ts';
import { demoOfficeHash, setUpHash, setUpPath, tourPath } from '#contract/tour.ts';
import { SignInPage } from '#web/panel/features/sign-in/sign-in-page.tsx';
import { signedInBefore } from '#web/panel/features/sign-in/signed-in-before.ts';
import { locales, useLanguage } from '#web/kit/i18n.ts';
import { usePublicConfig } from '#web/kit/public-config.ts';
import { productName } from '#web/kit/title.ts';
import { buttonClass } from '#web/panel/ui/button.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { classNames } from '#web/panel/ui/class-names.ts';
import { EntryFooter } from './entry-footer.tsx';
import { entryFrame } from './entry-frame.tsx';
import { ProductScene } from './product-scene.tsx';
import { RegistrationSteps } from './registration-steps.tsx';
import css from './welcome-page.module.css';

/** `/` signed out: what the product does beside the sign-in form. Where somebody signed in before, the form comes first. */
export function WelcomePage() {
  const { t } = useLingui();
  const [isKnown] = useState(signedInBefore);
  const isDemo = usePublicConfig()?.demo === true;
  const [isDemoOffice] = useState(() => isDemo && location.hash === demoOfficeHash);
  const settingUp = useSyncExternalStore(watchHash, () => location.hash === setUpHash);
  return (
    <SignInPage
      {...entryFrame}
      settingUp={settingUp}
      as={isDemoOffice ? demoOffice : undefined}
      intro={isDemoOffice && <CodesAppear />}
      look={isKnown ? 'quiet' : 'showcase'}
      tagline={t`For medical and dental practices`}
      aside={<Pitch withScene={!isKnown} settingUp={settingUp} />}
      forNewcomers={isDemoOffice ? null : settingUp ? <HaveAccount /> : <ForNewcomers />}
      footer={<EntryFooter />}
    />
  );
}

const demoOffice = { email: 'front@maple.test', phone: null };

function CodesAppear() {
  const { t } = useLingui();
  return (
    <p>
      {t`This is a demo office. Press Sign In, then take the code from the outbox.`}{' '}
      <a href="/dev/outbox" target="_blank" rel="noreferrer">{t`Open the outbox`}</a>
    </p>
  );
}

function watchHash(onChange: () => void) {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

/** One promise, the product itself, and the three steps of a new practice. Staff who sign in every morning see the promise only. */
function Pitch({ withScene, settingUp }: { withScene: boolean; settingUp: boolean }) {
  const { t } = useLingui();
  return (
    <div className={classNames(css.pitch, !withScene && css.quiet)}>
      <p className={css.promise}>{t`Patients check in from their car, and you call them in with one click.`}</p>
      {withScene && (
        <>
          <div>
            <Facts />
            <p className={css.also}>{t`Patients install nothing. No connection to your record system is needed.`}</p>
          </div>
          <WaysIn />
          <ProductScene />
          <RegistrationSteps at={settingUp ? 0 : null} inRow />
        </>
      )}
    </div>
  );
}

/** What an owner asks first. The price is missing while the card provider does not say it. */
function Facts() {
  const { t } = useLingui();
  const price = useLowestPrice();
  const facts = [
    t`HIPAA agreement included`,
    price !== null && t`From ${price} a month per provider`,
    t`${trialDays} days free, no card`,
  ];
  return (
    <ul className={css.facts}>
      {facts.map(
        (fact) =>
          fact !== false && (
            <li key={fact}>
              <CheckIcon size={16} />
              {fact}
            </li>
          ),
      )}
    </ul>
  );
}

function useLowestPrice(): string | null {
  const language = useLanguage();
  const cents = usePublicConfig()?.monthlyFromCents;
  if (typeof cents !== 'number') return null;
  return formatPlanPrice(cents, locales[language]);
}

function WaysIn() {
  const { t } = useLingui();
  const language = useLanguage();
  return (
    <p className={css.ways}>
      <a className={classNames(buttonClass({ variant: 'default' }), css.setUp)} href={setUpPath}>
        {t`Set up my practice`}
      </a>
      <a className={classNames(buttonClass({ variant: 'default' }), css.tour)} href={tourPath(language)}>
        {t`Take the tour`}
      </a>
    </p>
  );
}

/** What a new practice may do here. */
function ForNewcomers() {
  return (
    <p className={css.newcomers}>
      <Trans>
        <strong>New to {productName}?</strong> Enter your work email and we’ll set up your practice
      </Trans>
    </p>
  );
}

function HaveAccount() {
  const { t } = useLingui();
  return (
    <p className={css.newcomers}>
      {t`Does your practice use ${productName} already?`} <a href="#sign-in">{t`Sign in`}</a>
    </p>
  );
}
