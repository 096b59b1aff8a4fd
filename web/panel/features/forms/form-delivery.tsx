import { useLingui } from '@lingui/react/macro';
import { SendIcon } from '#web/icons/send.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import { useFormMoment } from './form-time.tsx';
import { useDelivery, useSendForm } from './use-delivery.ts';
import css from './values-pane.module.css';

/** Sends a form to the practice's FHIR server, and says whether it is there. Nothing without a server. */
export function FormDelivery({ formKey }: { formKey: string }) {
  const { t } = useLingui();
  const moment = useFormMoment();
  const delivery = useDelivery(formKey);
  const send = useSendForm(formKey);
  if (!delivery.data?.hasServer) return null;
  const { state, reason, at } = delivery.data;
  const when = at ? moment(at) : '';
  const status = /^status (\d{3})$/.exec(reason ?? '')?.[1];
  const unreached = reason === 'not reached' ? t`it could not be reached` : t`the form took too long`;
  const why = status ? t`it answered ${status}` : unreached;
  const isTooLarge = reason === 'extraction_too_large';
  const isAskedAgain = reason === 'unclear';
  const texts = {
    'not-sent': t`Not sent to the FHIR server.`,
    sending: t`Being sent to the FHIR server…`,
    sent: t`Sent to the FHIR server: ${when}`,
    refused: isTooLarge
      ? t`Not sent to the FHIR server: the answers are too much data.`
      : t`Not sent to the FHIR server: ${why}. Try again.`,
    unknown: isAskedAgain
      ? t`The FHIR server has not answered yet. We’ll check again in a few minutes.`
      : t`The FHIR server did not say whether it has this form. Send it again: we check first, so it won’t be there twice.`,
  };
  const isSendable = state !== 'sent' && state !== 'sending' && !isTooLarge && !isAskedAgain;
  return (
    <>
      <p role="status" className={css.note}>
        {texts[state]}
      </p>
      {isSendable && (
        <div>
          <Button size="s" icon={SendIcon} busy={send.isPending} onClick={() => send.mutate()}>
            {t`Send to the FHIR server`}
          </Button>
        </div>
      )}
      <ErrorText error={send.error} />
    </>
  );
}
