import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { readTextOutcome, type SentSms, type Sms } from '#contract/sms.ts';
import { serverNow } from '#web/kit/clock.ts';
import { call } from '#web/kit/call.ts';
import { textErrorAdvice, textReason, useShownPhone } from '#web/panel/features/queue/index.ts';
import { toast } from '#web/panel/ui/toasts.ts';
import { followForMs, groupOutcomes, isOpen, waits, type FollowedText } from './sent-outcomes.ts';
import { useTimeName } from './use-time-name.ts';

const askEveryMs = 500;

/** Returns a function that reports a send: success only for what the carrier took, and the time of what goes out later. */
export function useReportSent(): (sent: SentSms, sms: Sms) => Promise<void> {
  const { t } = useLingui();
  const timeName = useTimeName();
  const shownPhone = useShownPhone();
  const leftOut = useLeftOut();
  return async (sent, { deliveryOptions }) => {
    const missed = leftOut(sent);
    if (waits(sent, serverNow()) || sent.accepted > sent.textIds.length) return reportScheduled(sent, missed);
    const phoneAt = (i: number) => deliveryOptions[sent.textRows[i] ?? -1]?.phoneNumber ?? '';
    const outcomes = await Promise.all(sent.textIds.map((textId, i) => outcomeOf(textId, phoneAt(i))));
    const { gone, bad, open } = groupOutcomes(outcomes);
    if (bad.length > 0) return reportBad(bad, { gone: gone.length, open: open.length });
    if (open.length > 0)
      return void toast({
        title: t`Sending…`,
        text: t`The phone carrier has not answered yet. The outbox shows when it does.`,
        seconds: 10,
      });
    const [first] = gone;
    toast({
      tone: 'green',
      title: t`SMS sent`,
      text: t`Your SMS was successfully sent to the patient`,
      name:
        gone.length === 1 && first
          ? shownPhone(first.phone)
          : t`${plural(gone.length, { one: '# person', other: '# people' })}`,
    });
    if (missed.length > 0)
      toast({ tone: 'amber', title: t`Some people were not texted`, text: missed.join(' '), seconds: 30 });
  };

  function reportScheduled({ accepted: people, firstSendAt }: SentSms, missed: string[]): void {
    const time = timeName(firstSendAt ?? '');
    const [title, text] =
      people === 1
        ? [t`Goes out ${time}`, t`The outbox shows when it was sent.`]
        : [t`Texts scheduled: ${people}`, t`The outbox shows when each one goes out.`];
    toast({ tone: 'green', title, text: [text, ...missed].join(' '), seconds: 10 });
  }

  function reportBad(bad: readonly FollowedText[], { gone, open }: { gone: number; open: number }): void {
    const [first] = bad;
    const all = bad.length + gone + open;
    if (all === 1 && first?.state === 'unknown')
      return void toast({ tone: 'amber', title: t`Delivery unknown`, text: t`Please call the patient to be sure.` });
    if (all === 1 && first && first.problem !== null)
      return void toast({
        tone: 'red',
        title: t`We couldn't send your SMS`,
        text: textErrorAdvice(first),
        seconds: 30,
      });
    const reasons = bad.map(
      ({ phone, state, problem }) => `${shownPhone(phone)}: ${textReason(state, problem) ?? ''}.`,
    );
    toast({
      tone: 'red',
      title: gone + open > 0 ? t`Sent: ${gone} of ${all}` : t`We couldn't send your SMS`,
      text: [t`Not sent:`, ...reasons, ...(open > 0 ? [t`The phone carrier has not answered yet: ${open}.`] : [])].join(
        ' ',
      ),
      seconds: 30,
    });
  }
}

/** Returns a function: who of the list gets no text, in sentences. */
function useLeftOut(): (sent: SentSms) => string[] {
  const { t } = useLingui();
  return ({ optedOut, landlines, limited }) => [
    ...(optedOut > 0 ? [t`Not texted because of STOP: ${optedOut}.`] : []),
    ...(landlines > 0 ? [t`Not texted because it is a landline: ${landlines}.`] : []),
    ...(limited > 0 ? [t`Not texted because the number has reached its limit of texts for now: ${limited}.`] : []),
  ];
}

/** A text's state once the carrier has answered, or after a while the state it has then. */
async function outcomeOf(textId: string, phone: string): Promise<FollowedText> {
  const until = performance.now() + followForMs;
  for (;;) {
    const outcome = { phone, ...(await call(readTextOutcome, { params: { textId } })) };
    if (!isOpen(outcome.state) || performance.now() > until) return outcome;
    await new Promise((resolve) => setTimeout(resolve, askEveryMs));
  }
}
