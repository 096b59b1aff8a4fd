import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { shownReplyTime } from '#contract/website-chat.ts';
import { locales, useLanguage, type Language } from '#web/kit/i18n.ts';
import { Card } from '#web/panel/ui/card.tsx';
import css from './chat-settings.module.css';

/** What visitors read about how soon somebody answers. It is set with the messages, because snippets name it too. */
export function ReplyTimeCard({ minutes }: { minutes: number | null }) {
  const { t } = useLingui();
  const language = useLanguage();
  const time = minutes === null ? '' : durationText(minutes, language);
  return (
    <Card title={t`Expected reply time`} className={css.replyTime}>
      <p>
        {minutes === null
          ? t`No reply time is set, so visitors don’t see how soon you answer.`
          : t`During chat hours, visitors see before they start that you usually answer within ${time}.`}
      </p>
      <Link to="/dashboard/settings/messages">
        {minutes === null ? (
          <Trans>Set it in the message settings</Trans>
        ) : (
          <Trans>Change it in the message settings</Trans>
        )}
      </Link>
    </Card>
  );
}

function durationText(minutes: number, language: Language): string {
  const { value, unit } = shownReplyTime(minutes);
  return new Intl.NumberFormat(locales[language], { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}
