import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { firstSteps, type FirstStep } from '#contract/practice/first-steps.ts';
import { useSession } from '#web/kit/session.ts';
import { ArrowLeftIcon } from '#web/icons/arrow-left.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { CloseIcon } from '#web/icons/close.tsx';
import { PeopleIcon } from '#web/icons/people.tsx';
import { usePoster } from '#web/panel/features/practice/index.ts';
import { Button, buttonClass, IconButton } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import css from './first-steps.module.css';
import { sampleQueue } from './sample-queue.ts';
import { useSampleQueue } from './sample-store.ts';
import { useSwitchSound, useWantsSound } from '#web/panel/features/queue/news/sound-switch.tsx';
import { useFirstSteps, useShowFirstSteps } from './use-first-steps.ts';

interface FirstStepsCardProps {
  onText: () => void;
  /** Returns to the list on narrow screens. */
  onBack: () => void;
}

/** What a new practice does before its first patient comes. An entry is ticked when it has really happened. */
export function FirstStepsCard({ onText, onBack }: FirstStepsCardProps) {
  const { t } = useLingui();
  const { data, error } = useFirstSteps();
  const show = useShowFirstSteps();
  const wantsSound = useWantsSound() === true;
  // The sound is a preference of the session, which changes at the press.
  const isDone = (step: FirstStep) => data?.done[step] === true || (step === 'sound' && wantsSound);
  const doneCount = firstSteps.filter(isDone).length;
  const close = () => show.mutate(false, { onSuccess: onBack });
  const title = (
    <>
      <span className={css.back}>
        <IconButton label={t`Back`} icon={ArrowLeftIcon} size="s" variant="subtle" onClick={onBack} />
      </span>
      {t`Get your first patient in`}
    </>
  );
  const closeButton = (
    <IconButton
      label={t`Close the first steps`}
      icon={CloseIcon}
      size="s"
      variant="subtle"
      tip="below-end"
      onClick={close}
    />
  );
  return (
    <Card className={css.steps} title={title} actions={closeButton}>
      {data ? (
        <p className={css.count}>{t`${doneCount} of ${firstSteps.length} done`}</p>
      ) : (
        !error && <Skeleton width={90} />
      )}
      <ErrorText error={error ?? show.error} />
      {data && <StepList isDone={isDone} onText={onText} />}
      <PracticePatients />
      {data && doneCount === firstSteps.length && (
        <Button variant="filled" busy={show.isPending} onClick={close}>
          {t`All done, close this list`}
        </Button>
      )}
    </Card>
  );
}

interface StepListProps extends Pick<FirstStepsCardProps, 'onText'> {
  isDone: (step: FirstStep) => boolean;
}

function StepList({ isDone, onText }: StepListProps) {
  const { t } = useLingui();
  const steps = useStepTexts();
  return (
    <ol>
      {firstSteps.map((name, i) => {
        const { title, about } = steps[name];
        const done = isDone(name);
        return (
          <li key={name} className={css.step} data-done={done || undefined}>
            <span className={css.mark}>
              {done ? <CheckCircleIcon size={20} /> : <span aria-hidden="true">{i + 1}</span>}
            </span>
            <div className={css.what}>
              <h3>
                {title}
                {done && <VisuallyHidden> {t`(done)`}</VisuallyHidden>}
              </h3>
              {!done && <p>{about}</p>}
            </div>
            {!done && (
              <div className={css.action}>
                <StepAction step={name} onText={onText} />
              </div>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function useStepTexts(): Record<FirstStep, { title: string; about: string }> {
  const { t } = useLingui();
  return {
    phone: {
      title: t`Try it on your phone`,
      about: t`Scan the code with your phone’s camera and check in. Your card appears in the queue; remove it afterwards.`,
    },
    poster: {
      title: t`Print your poster`,
      about: t`Hang it at the door and in the parking lot. Patients scan it when they arrive.`,
    },
    text: {
      title: t`Text a patient`,
      about: t`Send the check-in link to somebody who is on the way.`,
    },
    colleague: {
      title: t`Invite a colleague`,
      about: t`Everyone at the desk signs in with their own email or mobile number.`,
    },
    sound: {
      title: t`Turn on the arrival sound`,
      about: t`Hear when a patient checks in, even when you’re looking elsewhere.`,
    },
  };
}

function StepAction({ step, onText }: { step: FirstStep } & Pick<FirstStepsCardProps, 'onText'>) {
  const { t } = useLingui();
  const switchSound = useSwitchSound();
  if (step === 'phone') return <PhoneCode />;
  if (step === 'poster')
    return (
      <Link to="/dashboard/settings/poster" className={buttonClass({ size: 's' })}>
        {t`Open the poster`}
      </Link>
    );
  if (step === 'colleague')
    return (
      <Link to="/dashboard/settings/team" className={buttonClass({ size: 's' })}>
        {t`Invite a colleague`}
      </Link>
    );
  return (
    <Button size="s" onClick={step === 'text' ? onText : () => switchSound(true)}>
      {step === 'text' ? t`Text a patient` : t`Turn on`}
    </Button>
  );
}

/** Sample patients to practice with. */
function PracticePatients() {
  const { t } = useLingui();
  const { office } = useSession();
  const samples = useSampleQueue(office?.id);
  if (!office) return null;
  return (
    <div className={css.samples}>
      {samples ? (
        <Button icon={PeopleIcon} onClick={sampleQueue.clear}>
          {t`Remove samples`}
        </Button>
      ) : (
        <Button icon={PeopleIcon} onClick={() => sampleQueue.start(office.id, office.npi)}>
          {t`Practice with sample patients`}
        </Button>
      )}
      <p>{t`Sample patients exist in this browser tab only. Nothing is saved, sent or counted.`}</p>
    </div>
  );
}

/** The poster's code, on the screen. */
function PhoneCode() {
  const { t } = useLingui();
  const { data } = usePoster();
  return data ? (
    <img
      className={css.code}
      src={`data:image/svg+xml,${encodeURIComponent(data.qrSvg)}`}
      alt={t`Code that opens the check-in page`}
    />
  ) : (
    <Skeleton width={116} height={116} />
  );
}
