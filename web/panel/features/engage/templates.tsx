import { useLingui } from '@lingui/react/macro';
import { CheckIcon } from '#web/icons/check.tsx';
import { CopyIcon } from '#web/icons/copy.tsx';
import { usePoster } from '#web/panel/features/practice/index.ts';
import { TextSize } from '#web/panel/features/queue/index.ts';
import { Card } from '#web/panel/ui/card.tsx';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { useCopy } from '#web/panel/ui/use-copy.ts';
import { VisuallyHidden } from '#web/kit/visually-hidden.tsx';
import css from './engage.module.css';

/** 'Prepare Your Patients': three messages with the office's check-in link, to copy into any reminder system. */
export function Templates() {
  const { t } = useLingui();
  const checkIn = usePoster();
  return (
    <Card title={t`Prepare Your Patients`}>
      <p className={css.note}>
        {t`Let your patients know that they can check in from their phones. Click a message to copy it.`}
      </p>
      {checkIn.isPending && <Skeleton height={260} />}
      {checkIn.isError && !checkIn.data && <LoadError title={t`The messages could not be loaded`} query={checkIn} />}
      {checkIn.data && <Messages officeName={checkIn.data.officeName} link={checkIn.data.url} />}
    </Card>
  );
}

const mostCharacters = 160;

function Messages({ officeName, link }: { officeName: string; link: string }) {
  const { t } = useLingui();
  const withName = t`${officeName}: when you arrive, please check in on your phone: ${link}`;
  const withoutName = t`When you arrive, please check in on your phone: ${link}`;
  return (
    <ul className={css.templates}>
      <Template title={t`Under 160 characters`} text={withName.length < mostCharacters ? withName : withoutName} />
      <Template
        title={t`Over 160 characters`}
        text={t`${officeName} looks forward to seeing you! You can check in from your own phone when you arrive, fill out your forms before your visit, and wait wherever you are comfortable. We will text you when it is your turn to come in. Check in here: ${link}`}
      />
      <Template title={t`Add to existing messages`} text={t`When you arrive, check in on your phone here: ${link}`} />
    </ul>
  );
}

/** One message. A click copies it. */
function Template({ title, text }: { title: string; text: string }) {
  const { t } = useLingui();
  const { copied, copy } = useCopy(text, () =>
    toast({
      tone: 'red',
      title: t`The message was not copied`,
      text: t`This browser does not allow it. Please select the text and copy it.`,
      seconds: 10,
    }),
  );
  return (
    <li>
      <h3 className={css.templateTitle}>{title}</h3>
      <button type="button" className={css.template} onClick={copy}>
        <span className={css.templateText} dir="auto">
          {text}
        </span>
        <span className={css.copy} data-copied={copied || undefined}>
          {copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
          {copied ? t`Copied!` : t`Copy`}
        </span>
      </button>
      <p className={css.size}>
        <TextSize text={text} />
      </p>
      <VisuallyHidden role="status">{copied && t`Copied!`}</VisuallyHidden>
    </li>
  );
}
