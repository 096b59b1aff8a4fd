import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Device } from '#contract/sign-in/session.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { ConfirmDialog } from '#web/panel/ui/dialog.tsx';
import { CheckIcon } from '#web/icons/check.tsx';
import { DeviceIcon } from '#web/icons/device.tsx';
import { LockIcon } from '#web/icons/lock.tsx';
import { PhoneIcon } from '#web/icons/phone.tsx';
import { SignOutIcon } from '#web/icons/sign-out.tsx';
import { Row, Rows, SecondaryText } from '#web/panel/ui/rows.tsx';
import { Skeleton } from '#web/panel/ui/skeleton.tsx';
import { Chip } from '#web/panel/ui/status-badge.tsx';
import { ErrorText } from '#web/panel/ui/trouble.tsx';
import css from './security.module.css';
import { useDevices, useSignOutDevice, useSignOutEverywhere } from './use-security.ts';
import { OfficeMoment } from '#web/kit/when.tsx';

/** The devices on which this person is signed in, each with a button to sign out. */
export function Devices() {
  const { t } = useLingui();
  const devices = useDevices();
  const out = useSignOutDevice();
  const everywhere = useSignOutEverywhere();
  const [asking, setAsking] = useState(false);
  const signOutAll = (
    <Button icon={SignOutIcon} onClick={() => setAsking(true)}>
      {t`Sign out everywhere`}
    </Button>
  );
  return (
    <Card className={css.part} title={t`Where you are signed in`} actions={signOutAll}>
      {devices.isPending && <Skeleton height={120} />}
      <ErrorText error={devices.error ?? out.error} />
      {devices.data && (
        <Rows>
          {devices.data.map((device) => (
            <DeviceRow
              key={device.id}
              device={device}
              busy={out.isPending && out.variables.id === device.id}
              onSignOut={() => out.mutate(device)}
            />
          ))}
        </Rows>
      )}
      {asking && (
        <ConfirmDialog
          title={t`Sign out everywhere?`}
          confirm={t`Sign out everywhere`}
          danger
          busy={everywhere.isPending}
          onConfirm={() => everywhere.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{t`You’ll be signed out on all your devices, including this one. API tokens will stop working.`}</p>
          <ErrorText error={everywhere.error} />
        </ConfirmDialog>
      )}
    </Card>
  );
}

interface DeviceRowProps {
  device: Device;
  busy: boolean;
  onSignOut: () => void;
}

function DeviceRow({ device, busy, onSignOut }: DeviceRowProps) {
  const { t } = useLingui();
  const name = useDeviceName()(device);
  const isPhone = device.system === 'iPhone' || device.system === 'Android';
  const Icon = isPhone ? PhoneIcon : DeviceIcon;
  return (
    <Row
      mark={<Icon size={20} />}
      name={
        <>
          <bdi>{name}</bdi>
          {device.current && <Chip icon={CheckIcon}>{t`This device`}</Chip>}
          {device.locked && <Chip icon={LockIcon}>{t`Locked`}</Chip>}
        </>
      }
      end={
        !device.current && (
          <Button size="s" busy={busy} aria-label={t`Sign out: ${name}`} onClick={onSignOut}>
            {t`Sign out`}
          </Button>
        )
      }
    >
      <SecondaryText>
        {device.address !== null && (
          <>
            <bdi dir="ltr">{device.address}</bdi>
            {device.sameAddress && !device.current && <> · {t`same network as this device`}</>}
            {' · '}
          </>
        )}
        {device.kind === 'program' ? (
          <Trans>
            Signed in <OfficeMoment at={device.signedInAt} />
          </Trans>
        ) : (
          <Trans>
            Last active <OfficeMoment at={device.activeAt} />
          </Trans>
        )}
      </SecondaryText>
    </Row>
  );
}

function useDeviceName(): (device: Device) => string {
  const { t } = useLingui();
  return ({ kind, browser, system }) => {
    if (kind === 'program') return t`A program using your API token`;
    if (browser !== null && system !== null) return t`${browser} on ${system}`;
    return browser ?? system ?? t`Unknown browser`;
  };
}
