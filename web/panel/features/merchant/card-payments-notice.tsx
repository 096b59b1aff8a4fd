import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import type { Session } from '#contract/sign-in/session.ts';
import { useNow } from '#web/kit/clock.ts';
import { useHints } from '#web/kit/live.ts';
import { usePublicConfig } from '#web/kit/public-config.ts';
import { refetchAfterHint } from '#web/kit/refetch-after-hint.ts';
import { sessionQuery, useSession } from '#web/kit/session.ts';
import { createStore, useStore } from '#web/kit/store.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { buttonClass } from '#web/panel/ui/button.tsx';

/** The notice that somebody closed; another one is shown again. */
const closed = createStore<string | null>(null);
const approvedForMs = 3 * 86_400_000;

/** Leads a practice that wants card payments to its application, and says what the payment provider decided. */
export function CardPaymentsNotice() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const { office } = useSession();
  const isOffered = usePublicConfig()?.payments === true;
  const isHere = useLocation({ select: ({ pathname }) => pathname === '/apply' || pathname === '/finix-forms' });
  const notice = useNotice(office);
  const isClosed = useStore(closed);
  useHints(({ type }) => {
    // The provider may have decided between the page's first answer and the connection.
    const mayHaveMissed = type === 'opened' && office?.cardPayments === 'processing';
    if (type === 'merchant' || mayHaveMissed) void refetchAfterHint(cache, sessionQuery.queryKey);
  });
  if (!office || !notice || !isOffered || isHere || isClosed === `${office.id} ${notice}`) return null;
  const { tone, text, link } = {
    wanted: {
      tone: 'blue' as const,
      text: t`Your practice wants to take card payments. The application is not submitted yet.`,
      link: t`Go to the application`,
    },
    'update-requested': {
      tone: 'amber' as const,
      text: t`The payment provider needs more information before it decides on your application for card payments.`,
      link: t`See what to do next`,
    },
    approved: {
      tone: 'green' as const,
      text: t`Your application for card payments was approved. Patients can pay on their phone now.`,
      link: t`See the application`,
    },
    rejected: {
      tone: 'amber' as const,
      text: t`Your application for card payments was not approved.`,
      link: t`See what to do next`,
    },
  }[notice];
  return (
    <Banner
      tone={tone}
      onClose={() => closed.set(`${office.id} ${notice}`)}
      action={
        <Link to="/apply" className={buttonClass({ size: 's' })}>
          {link}
        </Link>
      }
    >
      {text}
    </Banner>
  );
}

/** An approval is news for three days. */
function useNotice(office: Session['office']): 'wanted' | 'update-requested' | 'approved' | 'rejected' | null {
  const now = useNow();
  if (!office?.hellosignComplete) return null;
  const { cardPayments, cardPaymentsDecidedAt: decidedAt } = office;
  if (cardPayments === 'wanted' || cardPayments === 'update-requested' || cardPayments === 'rejected')
    return cardPayments;
  const isNew = decidedAt !== null && now - Date.parse(decidedAt) < approvedForMs;
  return cardPayments === 'approved' && isNew ? 'approved' : null;
}
