import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { OpenQuestion } from '#contract/transactions.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { DayTime, formatMoney, Money } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { useSession } from '#web/kit/session.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { ConfirmDialog } from '#web/panel/ui/dialog.tsx';
import css from './copay.module.css';
import { useRecordingProblem } from './recording-problem.ts';
import { useResolve } from './use-open-questions.ts';

/** One entry of the to-do list: what is asked, what to look for, and the answers. */
export function Question({ question, name, onOpen }: QuestionProps) {
  const { t } = useLingui();
  const { amount, since, cardBrand, cardLast4, reference, charges } = question;
  return (
    <div className={css.question}>
      <div className={css.what}>
        <p>
          {onOpen && (
            <>
              <bdi>{name}</bdi> ·{' '}
            </>
          )}
          <Money cents={amount} /> · <DayTime at={since} />
          {cardBrand !== null && ` · ${cardBrand} •••• ${cardLast4}`}
        </p>
        <p className={css.asked}>
          <What question={question} />
        </p>
        {charges.length === 0 ? (
          <p className={css.note}>
            {t`Reference`}: <bdi dir="ltr">{reference}</bdi>
          </p>
        ) : (
          <Charges charges={charges} onOpen={onOpen} />
        )}
      </div>
      <Answers question={question} name={name} />
    </div>
  );
}

type Charge = OpenQuestion['charges'][number];

interface QuestionProps {
  question: OpenQuestion;
  name: string;
  /** Shows a payment, to refund it. Without it: the screen shows that already. */
  onOpen?: (charge: Charge) => void;
}

/** The payments of one request that were charged, each with what to look for. */
function Charges({ charges, onOpen }: { charges: Charge[]; onOpen: QuestionProps['onOpen'] }) {
  const { t } = useLingui();
  return (
    <ul className={css.charges}>
      {charges.map((charge) => (
        <li key={charge.chargeId}>
          <p>
            <Money cents={charge.amount} /> · <DayTime at={charge.createdAt} />
            {charge.cardBrand !== null && ` · ${charge.cardBrand} •••• ${charge.cardLast4}`}
          </p>
          <p className={css.note}>
            {t`Reference`}: <bdi dir="ltr">{charge.reference}</bdi>
          </p>
          {onOpen && (
            <Button size="s" aria-haspopup="dialog" onClick={() => onOpen(charge)}>
              {t`Open to refund`}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function What({ question: { kind, part, problem } }: { question: OpenQuestion }) {
  const { t } = useLingui();
  const refused = useRecordingProblem(problem);
  if (kind === 'payment') return t`Was the card charged?`;
  if (kind === 'refund') return t`Was it refunded? If not, refund it at the payment provider.`;
  if (kind === 'correction') return t`Refunded, but still in Athena. Correct it there.`;
  if (kind === 'contradiction')
    return t`A colleague confirmed this refund, but the payment provider never made it. Did the patient get the money back another way?`;
  if (kind === 'paid-twice')
    return t`A colleague confirmed that the patient had already received this money another way, and then the payment provider refunded it too. Please settle it with the patient.`;
  if (kind === 'bounced')
    return t`This payment went through, and the bank took it back later. It no longer counts as paid. Please settle it with the patient.`;
  if (kind === 'dispute')
    return t`The patient’s bank disputes this payment. Answer the dispute at the payment provider.`;
  if (kind === 'charged-twice') return t`Paid twice: refund one.`;
  if (kind === 'excess')
    return t`The patient got back more than they paid: a refund that counted as failed was made after all. Please settle it with the patient.`;
  const isRecorded =
    part === 'copay' ? t`Is the copay recorded in Athena?` : t`Is the past balance recorded in Athena?`;
  return refused === null ? isRecorded : `${isRecorded} ${refused}`;
}

/** An answer cannot be taken back, so each is asked for once more. */
function Answers({ question, name }: { question: OpenQuestion; name: string }) {
  const { t } = useLingui();
  const [answer, setAnswer] = useState<boolean | null>(null);
  const resolve = useResolve(question);
  const [yes, no = null] = {
    payment: [t`Yes, it was charged`, t`No, it was not charged`],
    refund: [t`Yes, it was refunded`, t`No, it was not refunded`],
    recording: [t`Yes, it is recorded`, t`No, record it now`],
    correction: [t`It is corrected`],
    contradiction: [t`Yes, they got the money`, t`No, take the refund back`],
    'paid-twice': [t`It’s settled`],
    excess: [t`It’s settled`],
    'charged-twice': [t`Both are right`],
    bounced: [t`It’s settled`],
    dispute: [t`It’s settled`],
  }[question.kind];
  const { title, yesMeans, noMeans } = useMeanings(question, name);
  const close = () => {
    setAnswer(null);
    resolve.reset();
  };
  return (
    <div className={css.actions}>
      <Button size="s" aria-haspopup="dialog" aria-label={`${yes}: ${name}`} onClick={() => setAnswer(true)}>
        {yes}
      </Button>
      {no !== null && (
        <Button size="s" aria-haspopup="dialog" aria-label={`${no}: ${name}`} onClick={() => setAnswer(false)}>
          {no}
        </Button>
      )}
      {answer !== null && (
        <ConfirmDialog
          title={title}
          confirm={answer ? yes : no}
          danger={!answer}
          busy={resolve.isPending}
          onConfirm={() => resolve.mutate(answer, { onSuccess: close })}
          onClose={close}
        >
          <p>{answer ? yesMeans : noMeans}</p>
          {resolve.error && (
            <Banner tone="red">{errorMessage(resolve.error, t`The server could not be reached. Try again.`)}</Banner>
          )}
        </ConfirmDialog>
      )}
    </div>
  );
}

/** The question with the person and the amount, and what each answer does. */
function useMeanings({ kind, amount }: OpenQuestion, name: string) {
  const { t } = useLingui();
  const money = formatMoney(amount, useLanguage());
  // Payments of other practices are recorded nowhere.
  const hasAthena = useSession().office?.emr === 'AthenaOne';
  switch (kind) {
    case 'payment':
      return {
        title: t`Was ${money} charged to ${name}?`,
        yesMeans: t`The payment counts as paid. You cannot change this answer.`,
        noMeans: t`The patient can then pay again. Look it up first: if the card was charged after all, they pay twice and you have to refund one payment.`,
      };
    case 'refund':
      return {
        title: t`Was ${money} refunded to ${name}?`,
        yesMeans: t`The refund counts as done. You cannot change this answer.`,
        noMeans: t`The refund counts as failed, and can be made again. Look it up first: otherwise the patient gets the money twice.`,
      };
    case 'recording':
      return {
        title: t`Is ${money} from ${name} recorded in Athena?`,
        yesMeans: t`The payment counts as recorded. You cannot change this answer.`,
        noMeans: t`It is recorded now. Look it up first: otherwise Athena has it twice.`,
      };
    case 'contradiction':
      return {
        title: t`Did ${name} get ${money} back in another way?`,
        yesMeans: t`The refund stays as it is. You cannot change this answer.`,
        noMeans: hasAthena
          ? t`The payment counts as not refunded, and you can refund it again. If you already took it out of Athena, enter it there again.`
          : t`The payment counts as not refunded, and you can refund it again.`,
      };
    case 'paid-twice':
      return {
        title: t`${name} got ${money} twice. Is that settled?`,
        yesMeans: t`It leaves the to-do list. You cannot change this answer.`,
        noMeans: '',
      };
    case 'excess':
      return {
        title: t`${name} got back ${money} more than they paid. Is that settled?`,
        yesMeans: t`It leaves the to-do list. You cannot change this answer.`,
        noMeans: '',
      };
    case 'bounced':
      return {
        title: t`The bank took back ${money} from ${name}. Is that settled?`,
        yesMeans: t`It leaves the to-do list. You cannot change this answer.`,
        noMeans: '',
      };
    case 'dispute':
      return {
        title: t`Is the dispute about ${money} from ${name} settled?`,
        yesMeans: t`It leaves the to-do list. You cannot change this answer.`,
        noMeans: '',
      };
    case 'charged-twice':
      return {
        title: t`Did ${name} mean to pay another ${money}?`,
        yesMeans: t`Nothing is refunded, and it leaves the to-do list. You cannot change this answer.`,
        noMeans: '',
      };
    default:
      return {
        title: t`Is ${money} from ${name} corrected in Athena?`,
        yesMeans: t`It leaves the to-do list. You cannot change this answer.`,
        noMeans: '',
      };
  }
}
