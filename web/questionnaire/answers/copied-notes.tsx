import { useLingui } from '@lingui/react/macro';
import { fromEarlier, isKnownPage } from '#questionnaire/known/known-pages.ts';
import type { Page } from '#questionnaire/pages.ts';
import type { Answers } from '#questionnaire/values.ts';
import { formatFullDay } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import message from '#web/questionnaire/ui/message.module.css';

/** Says that answers were copied from the form of another family member. */
export function HouseholdNote({ copiedFrom }: { copiedFrom: string }) {
  const { t } = useLingui();
  return (
    <p
      className={message.blue}
    >{t`We copied what your family has in common from the form of ${copiedFrom}. Please check it.`}</p>
  );
}

interface EarlierNoteProps {
  page: Page;
  answers: Answers;
  /** The visit before. */
  earlier: { day: string; answers: Answers };
}

/** Says that answers of a page are those of the visit before. */
export function EarlierNote({ page, answers, earlier }: EarlierNoteProps) {
  const { t } = useLingui();
  const language = useLanguage();
  if (fromEarlier(page, answers, earlier.answers) === 'none') return null;
  const earlierDate = formatFullDay(`${earlier.day}T00:00:00Z`, language, 'UTC');
  return (
    <p className={message.blue}>
      {isKnownPage(page, answers, earlier.answers)
        ? t`From your visit on ${earlierDate}. Is this still right?`
        : t`Some of these answers are from your visit on ${earlierDate}. Are they still right?`}
    </p>
  );
}
