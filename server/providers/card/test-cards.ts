/** How a test card answers. `declined`: when it is saved. `charge_declined`: it is saved, and each charge is declined. */
export type PlanCardBehavior = 'ok' | 'declined' | 'charge_declined';

interface TestCard {
  brand: string;
  behavior: PlanCardBehavior;
  /** The cardholder confirms it with the bank first (3-D Secure). */
  needsConfirmation?: true;
}

/** The numbers that the local provider accepts; it refuses all others, so that nobody enters a real card. */
const testCards: Record<string, TestCard> = {
  '4242424242424242': { brand: 'Visa', behavior: 'ok' },
  '5555555555554444': { brand: 'Mastercard', behavior: 'ok' },
  '378282246310005': { brand: 'American Express', behavior: 'ok' },
  '4000000000000002': { brand: 'Visa', behavior: 'declined' },
  '4000000000009995': { brand: 'Visa', behavior: 'declined' },
  '4000000000000069': { brand: 'Visa', behavior: 'declined' },
  '4000000000000127': { brand: 'Visa', behavior: 'declined' },
  '4000000000000341': { brand: 'Visa', behavior: 'charge_declined' },
  '4000002500003155': { brand: 'Visa', behavior: 'ok', needsConfirmation: true },
};

export type CardField = 'number' | 'expiry' | 'cvc';

/** Reads what was typed: the card, or the fields that are wrong. */
export function readTypedCard(
  typed: Record<CardField, string>,
  now: Date,
):
  | { wrong: CardField[]; isUnknown: boolean }
  | { card: TestCard & { last4: string; expMonth: number; expYear: number } } {
  const number = typed.number.replace(/[\s-]/g, '');
  const card = Object.hasOwn(testCards, number) ? testCards[number] : undefined;
  const [, month, year] = /^\s*(\d{1,2})\s*\/?\s*(?:20)?(\d{2})\s*$/.exec(typed.expiry) ?? [];
  const expMonth = Number(month);
  const expYear = 2000 + Number(year);
  const isPast = expYear * 12 + expMonth < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
  const cvcDigits = card?.brand === 'American Express' ? 4 : 3;
  const wrong: CardField[] = [
    ...(card ? [] : ['number' as const]),
    ...(expMonth >= 1 && expMonth <= 12 && !isPast ? [] : ['expiry' as const]),
    ...(new RegExp(`^\\d{${cvcDigits}}$`).test(typed.cvc.trim()) ? [] : ['cvc' as const]),
  ];
  if (!card || wrong.length > 0) return { wrong, isUnknown: !card && hasCheckDigit(number) };
  return { card: { ...card, last4: number.slice(-4), expMonth, expYear } };
}

/** Luhn, as cards have it. */
function hasCheckDigit(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false;
  const sum = [...number].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
