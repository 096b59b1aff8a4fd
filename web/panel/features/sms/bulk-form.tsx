import { useLingui } from '@lingui/react/macro';
import { SendIcon } from '#web/icons/send.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { BulkErrors } from './bulk-errors.tsx';
import { BulkRows } from './bulk-rows.tsx';
import { ConfirmSend } from './confirm-send.tsx';
import { MessageField } from './message-field.tsx';
import type { DraftRow, ListMode } from './rows-draft.ts';
import css from './sms.module.css';
import { useBulkForm } from './use-bulk-form.ts';

interface BulkFormProps {
  defaultText: string;
  /** Rows of a file that was uploaded already; without it, the form can read a file. */
  list?: readonly DraftRow[];
  /** What the times of the list are. */
  mode?: ListMode;
  /** The list was sent. */
  onSent?: () => void;
}

/** Texts a list of numbers, each now or at its time. A sheet says who is texted before anything is sent. */
export function BulkForm({ defaultText, list, mode = 'send-time', onSent }: BulkFormProps) {
  const { t } = useLingui();
  const bulk = useBulkForm({ defaultText, list, mode, onSent });
  const { sheet } = bulk;
  return (
    <Card>
      <form className={css.form} onSubmit={bulk.review} noValidate>
        <MessageField
          value={bulk.message}
          onChange={bulk.setMessage}
          defaultText={defaultText}
          error={bulk.isMessageMissing ? t`Please write a message first.` : undefined}
        />
        <BulkRows bulk={bulk} mode={mode} mayUpload={!list} />
        <BulkErrors bulk={bulk} mode={mode} />
        <div className={css.buttons}>
          <Button type="submit" variant="filled" icon={SendIcon} busy={bulk.isBusy}>
            {mode === 'appointment' ? t`Schedule texts` : t`Send SMS`}
          </Button>
        </div>
      </form>
      {sheet && (
        <ConfirmSend
          {...sheet}
          mode={mode}
          isSending={bulk.isSending}
          onConfirm={() => bulk.confirm(sheet.sms)}
          onClose={bulk.closeSheet}
        />
      )}
    </Card>
  );
}
