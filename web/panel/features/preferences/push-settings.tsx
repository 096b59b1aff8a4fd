import { Trans, useLingui } from '@lingui/react/macro';
import type { PushSubscription } from '#contract/push.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { formatDay, useOfficeZone } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { usePublicConfig } from '#web/kit/public-config.ts';
import { supportsPush } from '#web/kit/push-subscription.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { Checkbox } from '#web/panel/ui/field.tsx';
import { SendIcon } from '#web/icons/send.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import css from './preferences.module.css';
import type { Permission } from './use-permission.ts';
import { usePush, useSubscribe, useTryPush, useUnsubscribe } from './use-push.ts';

/** Push notifications while the panel is closed: on or off for this browser, and the person's other browsers. */
export function PushSettings({ permission }: { permission: Permission }) {
  const { t } = useLingui();
  const isDemo = usePublicConfig()?.demo ?? false;
  const push = usePush();
  const subscribe = useSubscribe();
  const unsubscribe = useUnsubscribe();
  const tryOut = useTryPush();
  const mine = push.data?.subscriptions.find(({ isThisDevice }) => isThisDevice);
  const others = push.data?.subscriptions.filter(({ isThisDevice }) => !isThisDevice) ?? [];
  const error = subscribe.error ?? unsubscribe.error ?? tryOut.error ?? push.error;
  const busy = subscribe.isPending || unsubscribe.isPending;
  const mayAsk = permission === 'granted' && supportsPush();

  const change = (on: boolean) => {
    subscribe.reset();
    unsubscribe.reset();
    if (on && push.data) subscribe.mutate(push.data);
    if (!on && mine) unsubscribe.mutate(mine);
  };
  const test = (id: string) =>
    tryOut.mutate(id, {
      onSuccess: () => toast({ title: t`On its way`, text: t`Shown while the panel is behind other windows.` }),
    });

  return (
    <Card title={t`While the panel is closed`}>
      <div className={css.stack}>
        {push.isPending ? (
          <Skeleton height={56} />
        ) : (
          <Checkbox
            toggle
            label={t`Notify this browser when a patient arrives or texts you`}
            hint={t`Works even when no panel is open, until you sign out here. It never includes the patient’s name or message.`}
            checked={subscribe.isPending || (mine !== undefined && !unsubscribe.isPending)}
            disabled={!push.data || (!mine && !mayAsk)}
            onChange={(event) => !busy && change(event.target.checked)}
          />
        )}
        {!mine && !mayAsk && permission !== 'unsupported' && (
          <p>{t`Request permission first; then you can turn it on.`}</p>
        )}
        {push.data?.local && (
          <p>
            {isDemo ? (
              <Trans>
                Notifications are not connected yet: they go to the{' '}
                <a href="/dev/outbox" target="_blank" rel="noreferrer">
                  outbox
                </a>
                .
              </Trans>
            ) : (
              <Trans>Notifications are not connected yet, so none are sent.</Trans>
            )}
          </p>
        )}
        {mine && (
          <div>
            <Button icon={SendIcon} busy={tryOut.isPending} onClick={() => test(mine.id)}>
              {t`Send a test notification`}
            </Button>
          </div>
        )}
        {error && <Banner tone="red">{errorMessage(error, t`The server could not be reached.`)}</Banner>}
        {others.length > 0 && <Others others={others} onEnd={(one) => unsubscribe.mutate(one)} />}
      </div>
    </Card>
  );
}

function Others({ others, onEnd }: { others: PushSubscription[]; onEnd: (one: PushSubscription) => void }) {
  const { t } = useLingui();
  const zone = useOfficeZone();
  const language = useLanguage();
  return (
    <div>
      <h3 className={css.othersTitle}>{t`Your other browsers`}</h3>
      <ul className={css.others}>
        {others.map((one) => (
          <li key={one.id}>
            <span>{t`${browserOf(one.userAgent)}, since ${formatDay(one.since, language, zone)}`}</span>
            <Button size="s" onClick={() => onEnd(one)}>
              {t`Stop`}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A browser's name and system from its user agent. */
function browserOf(userAgent: string): string {
  const browser = /Edg|OPR|Firefox|Chrome|Safari/.exec(userAgent)?.[0] ?? '?';
  const system = /Windows|Android|iPhone|iPad|Mac OS|CrOS|Linux/.exec(userAgent)?.[0];
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', CrOS: 'ChromeOS', 'Mac OS': 'macOS' };
  return [browser, system].flatMap((word) => (word ? [names[word] ?? word] : [])).join(', ');
}
