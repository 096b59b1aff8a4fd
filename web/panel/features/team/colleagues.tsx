import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { formatPhone } from '#contract/phone-format.ts';
import type { Colleague } from '#contract/team.ts';
import { useNow } from '#web/kit/clock.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { formatDay, Phone, useOfficeZone } from '#web/kit/format.tsx';
import { useLanguage } from '#web/kit/i18n.ts';
import { useSession } from '#web/kit/session.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { IconButton } from '#web/panel/ui/button.tsx';
import { MoreIcon } from '#web/icons/more.tsx';
import { TrashIcon } from '#web/icons/trash.tsx';
import { Menu, MenuItem } from '#web/panel/ui/menu.tsx';
import { Card } from '#web/panel/ui/card.tsx';
import { ConfirmDialog } from '#web/panel/ui/dialog.tsx';
import { Row, Rows, SecondaryText } from '#web/panel/ui/rows.tsx';
import { Chip } from '#web/panel/ui/status-badge.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import type { RunAfterIdentityCheck } from './after-proof.ts';
import { useRemove } from './use-team.ts';

interface ColleaguesProps {
  colleagues: Colleague[];
  afterProof: RunAfterIdentityCheck;
}

/** The office's members, longest membership first. The last member cannot be removed. */
export function Colleagues({ colleagues, afterProof }: ColleaguesProps) {
  const { t } = useLingui();
  const [leaving, setLeaving] = useState<Colleague>();
  return (
    <Card title={t`Colleagues`}>
      <Rows>
        {colleagues.map((colleague) => (
          <Row
            key={colleague.id}
            name={
              <>
                <Identity {...colleague} />
                {colleague.isYou && <Chip>{t`You`}</Chip>}
              </>
            }
            end={
              colleagues.length > 1 && (
                <Menu
                  button={(props) => (
                    <IconButton
                      {...props}
                      label={t`More about ${nameOf(colleague)}`}
                      icon={MoreIcon}
                      variant="subtle"
                      tip="below-end"
                    />
                  )}
                >
                  <MenuItem icon={TrashIcon} onSelect={() => afterProof(() => setLeaving(colleague))}>
                    {colleague.isYou ? t`Leave this practice` : t`Remove from this practice`}
                  </MenuItem>
                </Menu>
              )
            }
          >
            <SecondaryText>
              <JoinedDay at={colleague.since} />
            </SecondaryText>
          </Row>
        ))}
      </Rows>
      {leaving && <RemoveQuestion colleague={leaving} onClose={() => setLeaving(undefined)} />}
    </Card>
  );
}

function JoinedDay({ at }: { at: string }) {
  const zone = useOfficeZone();
  const language = useLanguage();
  const day = formatDay(at, language, zone);
  return day === formatDay(useNow(), language, zone) ? <Trans>Joined today</Trans> : <Trans>Joined {day}</Trans>;
}

/** The email address or phone number that the practice invited. */
export function Identity({ email, phone }: Pick<Colleague, 'email' | 'phone'>) {
  return (
    <span>
      {email && <bdi>{email}</bdi>}
      {email && phone && ' · '}
      {phone && <Phone value={phone} />}
    </span>
  );
}

/** The same as plain text. */
const nameOf = ({ email, phone }: Pick<Colleague, 'email' | 'phone'>) => email ?? formatPhone(phone ?? '');

function RemoveQuestion({ colleague, onClose }: { colleague: Colleague; onClose: () => void }) {
  const { t } = useLingui();
  const { office } = useSession();
  const remove = useRemove();
  const { isYou } = colleague;
  const name = nameOf(colleague);
  const practice = office?.officeName ?? '';
  const confirm = () =>
    remove.mutate(colleague.id, {
      onSuccess() {
        onClose();
        if (!isYou) toast({ title: t`${name} was removed`, text: t`They no longer have access to ${practice}.` });
      },
    });
  return (
    <ConfirmDialog
      title={isYou ? t`Leave ${practice}?` : t`Remove ${name} from ${practice}?`}
      confirm={isYou ? t`Leave` : t`Remove`}
      danger
      busy={remove.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        {isYou
          ? t`You’ll lose access to this practice right away, in this tab and everywhere else. A colleague can invite you again.`
          : t`They’ll be signed out of this practice right away, and invitations they sent will be canceled. We’ll let them know by email or text. You can invite them again.`}
      </p>
      {remove.isError && <Banner tone="red">{errorMessage(remove.error, t`The server could not be reached.`)}</Banner>}
    </ConfirmDialog>
  );
}
