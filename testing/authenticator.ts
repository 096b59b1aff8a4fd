import { codeAt, stepOf } from '#server/features/sign-in/totp.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The phone with the authenticator app: what it shows at a moment for this secret. */
export function appOf(secret: string): (at: Date) => string {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
  return (at) => codeAt(bytes, stepOf(at));
}
