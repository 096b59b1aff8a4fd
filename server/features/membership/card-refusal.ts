import { CardRefused, type CardReason } from '#server/providers/card/port.ts';

/** The provider did not look at the operation, so an earlier call with its id may have done it. */
const unseen: readonly CardReason[] = ['unreachable', 'rate', 'unauthorized', 'other'];

/** Why the card provider definitely did not do an operation; null if that is not certain. */
export function cardRefusalOf(error: unknown, isRepeat: boolean): CardReason | null {
  if (!(error instanceof CardRefused)) return null;
  return isRepeat && unseen.includes(error.reason) ? null : error.reason;
}
