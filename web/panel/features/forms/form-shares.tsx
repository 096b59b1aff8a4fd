import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { endShare, listFormShares, maxOpeningsShown, shareEnd, type Share } from '#contract/sharing.ts';
import { call } from '#web/kit/call.ts';
import { useNow } from '#web/kit/clock.ts';
import { pollMs } from '#web/kit/poll.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { OfficeMoment } from '#web/kit/when.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { ConfirmDialog } from '#web/panel/ui/dialog.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { CloseIcon } from '#web/icons/close.tsx';
import { StatusBadge } from '#web/panel/ui/status-badge.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './form-shares.module.css';

const sharesKey = (formKey: string) => ['form-shares', formKey];

/** The patient's links to the open form, each with a button that ends it. Renders nothing if there are none. */
export function FormShares({ formKey }: { formKey: string }) {
  const { t } = useLingui();
  const [ending, setEnding] = useState<Share | null>(null);
  const shares = useQuery({
    queryKey: sharesKey(formKey),
    queryFn: ({ signal }) => call(listFormShares, { query: { key: formKey } }, { signal }),
    refetchInterval: pollMs,
  });
  useRefetchOnHints(sharesKey(formKey), ({ type }) => type === 'share' || type === 'refetch');
  if (!shares.data) return <ErrorText error={shares.error} />;
  if (shares.data.length === 0) return null;
  return (
    <section className={css.shares} aria-label={t`Shared by the patient`}>
      <h3>{t`Shared by the patient`}</h3>
      <ul>
        {shares.data.map((share) => (
          <OneShare key={share.id} share={share} onEnd={() => setEnding(share)} />
        ))}
      </ul>
      {ending && <EndDialog formKey={formKey} share={ending} onClose={() => setEnding(null)} />}
    </section>
  );
}

function OneShare({ share, onEnd }: { share: Share; onEnd: () => void }) {
  const { t } = useLingui();
  const now = useNow();
  const end = shareEnd(share, now);
  const [last] = share.opened;
  const over = {
    expired: t({ message: 'Expired', context: 'a link' }),
    revoked: share.revokedBy === 'office' ? t`Revoked by the practice` : t`Stopped by the patient`,
  };
  return (
    <li>
      <div className={css.about}>
        <p className={css.who} dir="auto">
          {share.sharedWith}
        </p>
        <p className={css.facts}>
          {end === null ? (
            <StatusBadge tone="green" icon={CheckIcon}>
              {t`Expires`} <OfficeMoment at={share.expiresAt} />
            </StatusBadge>
          ) : (
            <StatusBadge tone="gray" icon={CloseIcon}>
              {over[end]} <OfficeMoment at={share.revokedAt ?? share.expiresAt} />
            </StatusBadge>
          )}
          {last ? (
            <span>
              {share.opened.length < maxOpeningsShown
                ? t`Opened ${plural(share.opened.length, { one: '# time', other: '# times' })}`
                : t`Opened ${maxOpeningsShown} times or more`}
              {' · '}
              <OfficeMoment at={last.at} />
            </span>
          ) : (
            <span>{t`Not opened yet`}</span>
          )}
        </p>
      </div>
      {end === null && (
        <Button size="s" onClick={onEnd}>
          {t`Revoke link`}
        </Button>
      )}
    </li>
  );
}

function EndDialog({ formKey, share, onClose }: { formKey: string; share: Share; onClose: () => void }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const end = useMutation({
    mutationFn: () => call(endShare, { params: { shareId: share.id } }),
    onSuccess: (ended) => {
      cache.setQueryData<Share[]>(sharesKey(formKey), (before) =>
        before?.map((one) => (one.id === ended.id ? ended : one)),
      );
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t`Revoke the link for ${share.sharedWith}?`}
      confirm={t`Revoke link`}
      danger
      busy={end.isPending}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      <p>{t`The link stops working, and the patient sees that the practice revoked it.`}</p>
      <ErrorText error={end.error} />
    </ConfirmDialog>
  );
}
