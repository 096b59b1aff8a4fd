import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type SubmitEvent } from 'react';
import { noticeAddress, readPrivacyNotice, savePrivacyNotice } from '#contract/forms/privacy-notice.ts';
import { call } from '#web/kit/call.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { TextInput } from '#web/panel/ui/field.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './forms-settings.module.css';

const key = ['privacy-notice'] as const;

/** Where the practice's own Notice of Privacy Practices is on the web: the consent form links it. */
export function PrivacyNotice() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const notice = useQuery({ queryKey: key, queryFn: ({ signal }) => call(readPrivacyNotice, {}, { signal }) });
  const field = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState<string>();
  const [tried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: (url: string) => call(savePrivacyNotice, { body: { url } }),
    onSuccess(saved) {
      cache.setQueryData(key, saved);
      setTyped(undefined);
      setTried(false);
      toast({ title: t`Saved` });
    },
  });
  const shown = typed ?? notice.data?.url ?? '';
  const isValid = shown.trim() === '' || noticeAddress(shown) !== null;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (!isValid) field.current?.querySelector('input')?.focus();
    else if (!save.isPending) save.mutate(shown);
  };
  return (
    <Card title={t`Notice of Privacy Practices`}>
      <p className={css.note}>
        {t`The consent form links to your notice. Without an address, it tells patients to ask for it at the front desk.`}
      </p>
      <form className={css.notice} onSubmit={submit} noValidate>
        <div ref={field} className={css.noticeField}>
          <TextInput
            label={t`Address of your notice`}
            type="url"
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={500}
            placeholder="https://yourpractice.com/privacy"
            value={shown}
            error={tried && !isValid ? t`Enter an address that starts with https://.` : undefined}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <Button type="submit" busy={save.isPending}>
          {t`Save address`}
        </Button>
      </form>
      <ErrorText error={notice.error ?? save.error} />
    </Card>
  );
}
