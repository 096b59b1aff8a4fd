import { Trans, useLingui } from '@lingui/react/macro';
import type { QuietChoice, QuietNow } from '#contract/queue.ts';
import { MoonIcon } from '#web/icons/moon.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { useNow } from '#web/kit/clock.ts';
import { OfficeMoment } from '#web/kit/when.tsx';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import css from './quiet-hours.module.css';

interface QuietProps {
  quiet: QuietNow | null;
}

/** The quiet hours of a number, as long as they last. */
function useQuiet(quiet: QuietNow | null): QuietNow | null {
  const now = useNow();
  return quiet !== null && Date.parse(quiet.until) > now ? quiet : null;
}

/** Says that it is quiet time where the patient is, and when an answer goes out. */
export function QuietHoursNote({ quiet }: QuietProps) {
  const now = useQuiet(quiet);
  if (!now) return null;
  return (
    <Banner tone="amber" icon={MoonIcon}>
      {now.waits ? (
        <Trans>
          Quiet hours for this number: your answer goes out at <OfficeMoment at={now.until} />.
        </Trans>
      ) : (
        <Trans>
          It is after hours for this patient, until <OfficeMoment at={now.until} />. Your text still goes out now.
        </Trans>
      )}
    </Banner>
  );
}

interface SendButtonsProps extends QuietProps {
  isEmpty: boolean;
  /** The number gets no texts. */
  isBlocked?: boolean;
  busy?: boolean;
  onSend: (choice: QuietChoice) => void;
}

/** The button that sends an answer; in quiet hours one that lets it wait, and one that does not. */
export function SendButtons({ quiet, isEmpty, isBlocked = false, busy = false, onSend }: SendButtonsProps) {
  const { t } = useLingui();
  const waitsUntil = useQuiet(quiet)?.waits ? quiet?.until : undefined;
  const locked = isEmpty || isBlocked;
  const send = { locked, busy, variant: locked ? 'default' : 'filled' } as const;
  if (waitsUntil === undefined)
    return (
      <Button {...send} icon={SendIcon} onClick={() => onSend('wait')}>
        {t`Send`}
      </Button>
    );
  return (
    <span className={css.buttons}>
      <Button locked={locked} busy={busy} onClick={() => onSend('ignore')}>
        {t`Send now anyway`}
      </Button>
      <Button {...send} icon={MoonIcon} onClick={() => onSend('wait')}>
        <Trans>
          Send at <OfficeMoment at={waitsUntil} />
        </Trans>
      </Button>
    </span>
  );
}
