/**
 * A PIN for one person on one device. It unlocks that person's locked panel there, and does nothing else: it neither signs in nor proves
 * identity for a change of sign-in methods.
 */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { Session } from './session.ts';
import { Security } from './second-ways.ts';

export const pinLength = 6;
/** After this many wrong tries in a row, or within 24 hours, the PIN is removed. */
export const triesPerPin = 5;
/** How recent a proof of identity must be to set a PIN: a colleague at a panel left open must not be able to set one. */
export const pinProofSeconds = 60;

const Pin = z.string().check(z.length(pinLength), z.regex(/^\d*$/));

/** Whether somebody would guess this PIN first: one digit, a run up or down, a pair or three digits repeated, or a date. */
export function isGuessablePin(pin: string): boolean {
  const steps = new Set(Array.from(pin.slice(1), (digit, i) => (Number(digit) - Number(pin[i]) + 10) % 10));
  const isRun = steps.size === 1 && [0, 1, 9].includes([...steps][0] as number);
  const isRepeated = /^(\d\d)\1\1$|^(\d{3})\2$|^(\d)\3(\d)\4(\d)\5$/.test(pin);
  const isMirrored = pin === Array.from(pin).reverse().join('');
  return isRun || isRepeated || isMirrored || isDate(pin) || usualPins.has(pin);
}

/** A birthday is what a colleague tries first: month, day and year in any usual order, or month and year. */
function isDate(pin: string): boolean {
  const [first, second, third] = [pin.slice(0, 2), pin.slice(2, 4), pin.slice(4)].map(Number) as [
    number,
    number,
    number,
  ];
  const isDay = (month: number, day: number) => month >= 1 && month <= 12 && day >= 1 && day <= 31;
  return isDay(first, second) || isDay(second, first) || isDay(second, third) || /^(0[1-9]|1[0-2])(19|20)/.test(pin);
}

/** Patterns on a keypad that lead every published list of PINs. */
const usualPins = new Set(['111222', '159357', '159753', '147258', '258369', '789456', '456123', '420420', '520520']);

export const setPin = endpoint({
  method: 'PUT',
  path: '/session/pin',
  summary:
    'Sets the PIN that unlocks the panel for the caller on this device, and notifies them; needs a proof of the last minute',
  access: 'person',
  body: z.object({ pin: Pin }),
  reply: Security,
  refusals: ['proof_needed', 'pin_guessable', 'pin_not_here', 'too_many_tries'],
});

export const removePin = endpoint({
  method: 'DELETE',
  path: '/session/pin',
  summary: "Removes the caller's PIN on this device",
  access: 'person',
  reply: Security,
});

export const unlockWithPin = endpoint({
  method: 'POST',
  path: '/session/unlock/pin',
  summary: 'Unlocks the panel with the PIN of the same person on the same device; five wrong tries remove the PIN',
  access: 'anyone',
  body: z.object({ pin: Pin }),
  reply: Session,
  refusals: ['not_signed_in', 'second_step_needed', 'wrong_pin', 'pin_missing', 'too_many_tries'],
});
