import { useLingui } from '@lingui/react/macro';
import type { ConversationChannel } from '#contract/conversations/shapes.ts';
import { DeviceIcon } from '#web/icons/device.tsx';
import { ExternalIcon } from '#web/icons/external.tsx';
import { PhoneIcon } from '#web/icons/phone.tsx';
import type { Icon } from '#web/icons/shape.tsx';

export const channelIcons = {
  text: PhoneIcon,
  web: ExternalIcon,
  app: DeviceIcon,
} as const satisfies Record<ConversationChannel, Icon>;

/** How a person writes to the practice. */
export function ChannelName({ channel }: { channel: ConversationChannel }) {
  const { t } = useLingui();
  return { text: t`Texts`, web: t`Website`, app: t`App` }[channel];
}
