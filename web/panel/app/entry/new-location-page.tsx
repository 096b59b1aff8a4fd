import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { PracticeForm } from '#web/panel/features/registration/practice-form.tsx';
import { switchOffice, useSession } from '#web/kit/session.ts';
import { buttonClass } from '#web/panel/ui/button.tsx';
import { ArrowLeftIcon } from '#web/icons/arrow-left.tsx';
import { RegistrationFrame } from './registration-frame.tsx';
import css from './registration.module.css';

/** Registers another location of a practice: the same form, then its own agreement. */
export function NewLocationPage() {
  const { t } = useLingui();
  const { office } = useSession();
  return (
    <RegistrationFrame at={0} wide>
      <p className={css.newLocation}>
        {t`Another location has its own queue, its own number for texts and its own agreement. You switch between your locations at the top.`}
      </p>
      <div>
        <Link to="/" className={buttonClass({})}>
          <ArrowLeftIcon />
          <span>{t`Back to ${office?.officeName}`}</span>
        </Link>
      </div>
      <PracticeForm onRegistered={({ strapiId }) => switchOffice(strapiId)} />
    </RegistrationFrame>
  );
}
