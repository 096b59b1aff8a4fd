import { useLingui } from '@lingui/react/macro';
import { useSyncExternalStore } from 'react';
import { LoadError } from '#web/panel/ui/load-error.tsx';
import { Outbox } from './outbox.tsx';
import { BulkForm } from './bulk-form.tsx';
import { SingleForm } from './single-form.tsx';
import { SmsFrame } from './sms-frame.tsx';
import css from './sms.module.css';
import { useOffice } from './use-sms.ts';

/** `/sms-dashboard`: Send SMS, to a list from 768 px and to one number below, and the outbox. */
export function SendSmsPage() {
  const { t } = useLingui();
  const isWide = useIsWide();
  const office = useOffice();
  return (
    <SmsFrame title={t`Send SMS`}>
      <div className={css.heading}>
        <h1>{t`Send SMS`}</h1>
      </div>
      {office.isError && <LoadError title={t`The message could not be loaded.`} query={office} />}
      {office.data &&
        (isWide ? <BulkForm defaultText={office.data.sms} /> : <SingleForm defaultText={office.data.sms} />)}
      <Outbox />
    </SmsFrame>
  );
}

const wide = matchMedia('(min-width: 768px)');
const subscribe = (listener: () => void) => {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
};
const useIsWide = () => useSyncExternalStore(subscribe, () => wide.matches);
