import type { QueueSettings } from '#contract/practice/office.ts';

/** When the timer will invite a patient who arrives now; null if the office invites by hand. */
export function autoInviteAt({ autoInviteEnabled, autoInviteWaitTime }: QueueSettings, arrivedAt: Date): Date | null {
  return autoInviteEnabled ? new Date(arrivedAt.getTime() + autoInviteWaitTime * 1000) : null;
}
