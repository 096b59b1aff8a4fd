import type { QueueSettings } from '#contract/practice/office.ts';

/** When a patient who arrives now will be invited by the timer; null when the office invites by hand. */
export function autoInviteAt({ autoInviteEnabled, autoInviteWaitTime }: QueueSettings, arrivedAt: Date): Date | null {
  return autoInviteEnabled ? new Date(arrivedAt.getTime() + autoInviteWaitTime * 1000) : null;
}
