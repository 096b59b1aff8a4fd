import '#web/kit/styles/product-scene.css';
import { useLingui } from '@lingui/react/macro';
import { useId, type ReactNode } from 'react';
import { CheckIcon } from '#web/icons/check.tsx';
import { CarIcon } from '#web/icons/car.tsx';
import { ClockIcon } from '#web/icons/clock.tsx';
import { DoorIcon } from '#web/icons/door.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { WalkIcon } from '#web/icons/walk.tsx';
import { productName } from '#web/kit/title.ts';
import { initialsOf } from '#web/panel/ui/avatar.tsx';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';

const arriving = 'Ana Rivera';
const [done, all] = [4, 4];

/**
 * The product at work, as a picture that moves: the patient's phone, the queue, and the call. Only CSS moves it, in a loop of six seconds;
 * with reduced motion it is three still pictures. The checkbox pauses it (WCAG 2.2.2).
 */
export function ProductScene() {
  const { t } = useLingui();
  const pause = useId();
  return (
    <figure className="scene">
      <VisuallyHidden>
        {t`A patient taps “I'm here” on the phone. Their card appears in your queue. You press “Invite Patient”, and the phone says “Come in now”.`}
      </VisuallyHidden>
      <input type="checkbox" id={pause} className="scene-pause" />
      <div className="scene-stage" aria-hidden="true">
        <div className="scene-phone">
          <CheckInScreen />
          <WaitingScreen />
          <CalledScreen />
        </div>
        <Queue />
        <div className="scene-phone scene-last-still">
          <CalledScreen />
        </div>
      </div>
      <label htmlFor={pause} className="scene-pause-label">{t`Pause`}</label>
    </figure>
  );
}

function CheckInScreen() {
  const { t } = useLingui();
  return (
    <div className="scene-screen scene-check-in">
      <strong>{t`Check in`}</strong>
      <FilledField label={t`Name`}>{arriving}</FilledField>
      <FilledField label={t`Mobile number`}>(917) 555-0142</FilledField>
      <span className="scene-button scene-tapped">
        <CheckIcon size={14} />
        {t`I'm here`}
      </span>
    </div>
  );
}

function FilledField({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="scene-field">
      <small>{label}</small>
      <span>{children}</span>
    </span>
  );
}

function WaitingScreen() {
  const { t } = useLingui();
  return (
    <div className="scene-screen scene-waiting">
      <span className="scene-mark">
        <CarIcon size={26} />
      </span>
      <strong>{t`You’re checked in`}</strong>
      <span>{t`Please wait in your car. We’ll let you know here and by text when it’s time to come in.`}</span>
    </div>
  );
}

function CalledScreen() {
  const { t } = useLingui();
  return (
    <div className="scene-screen scene-called">
      <span className="scene-mark">
        <DoorIcon size={26} />
      </span>
      <strong>{t`Come in now`}</strong>
      <span className="scene-button">
        <WalkIcon size={14} />
        {t`On my way`}
      </span>
    </div>
  );
}

function Queue() {
  const { t } = useLingui();
  const waiting = (
    <span className="scene-badge">
      <ClockIcon size={12} />
      {t`Waiting`}
    </span>
  );
  return (
    <div className="scene-desk">
      <div className="scene-bar">
        <strong>{productName}</strong>
        <span>Lakeside Medical &amp; Dental</span>
      </div>
      <div className="scene-panes">
        <div className="scene-list">
          <Row name={arriving} time="9:41" isNew>
            <span className="scene-before">{waiting}</span>
            <span className="scene-after">
              <span className="scene-badge scene-invited">
                <SendIcon size={12} />
                {t`Invited`}
              </span>
            </span>
          </Row>
          <Row name="Daniel Moreau" time="9:33">
            {waiting}
          </Row>
          <Row name="Maria Lopez" time="9:20">
            <span className="scene-badge scene-going">
              <WalkIcon size={12} />
              {t`On the way`}
            </span>
          </Row>
          <CallButton />
        </div>
        <div className="scene-detail">
          <div className="scene-person scene-first">
            <strong>Daniel Moreau</strong>
            <FormsDone />
            <span className="scene-step">
              <InviteButton />
            </span>
          </div>
          <div className="scene-person scene-chosen">
            <strong>{arriving}</strong>
            <FormsDone />
            <CallButton />
          </div>
        </div>
      </div>
    </div>
  );
}

function FormsDone() {
  const { t } = useLingui();
  const names = [t`Insurance Card`, t`Photo ID`, t`Health History`, t`Consent`];
  return (
    <>
      <span>{t`Forms: ${done} of ${all}`}</span>
      <ul className="scene-forms">
        {names.map((name) => (
          <li key={name}>
            <CheckIcon size={12} />
            {name}
          </li>
        ))}
      </ul>
    </>
  );
}

/** "Invite Patient", and "Reinvite" after the press. */
function CallButton() {
  const { t } = useLingui();
  return (
    <span className="scene-step">
      <span className="scene-button scene-again scene-after">
        <SendIcon size={14} />
        {t`Reinvite`}
      </span>
      <InviteButton isPressed />
    </span>
  );
}

function InviteButton({ isPressed }: { isPressed?: boolean }) {
  const { t } = useLingui();
  return (
    <span className={isPressed ? 'scene-button scene-pressed' : 'scene-button'}>
      <SendIcon size={14} />
      {t`Invite Patient`}
    </span>
  );
}

function Row({ name, time, isNew, children }: { name: string; time: string; isNew?: boolean; children: ReactNode }) {
  return (
    <div className={isNew ? 'scene-row scene-arriving' : 'scene-row scene-other'}>
      <span className="scene-avatar">{initialsOf(name)}</span>
      <span className="scene-name">{name}</span>
      <small>{time}</small>
      <span className="scene-status">{children}</span>
    </div>
  );
}
