/** How a card of the local payment provider behaves. */
export type CardBehavior = 'ok' | 'declined' | 'pending' | 'answer-lost' | 'no-answer';

/** Numbers with a behavior of their own; every other number that passes the check digit is charged. */
const behaviors: Record<string, CardBehavior> = {
  '4242424242424242': 'ok',
  '4000000000000002': 'declined',
  // Stays pending until the provider settles it.
  '4000000000000077': 'pending',
  // Charged, but the answer gets lost: a look-up finds it.
  '4000000000000101': 'answer-lost',
  // Neither an answer nor a look-up: a person has to find out.
  '4000000000000119': 'no-answer',
};

export const behaviorOf = (number: string): CardBehavior => behaviors[number] ?? 'ok';

/** Whether the digits are a card number: 13 to 19 of them, with a correct check digit (Luhn). */
export function isCardNumber(digits: string): boolean {
  if (!/^\d{13,19}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** The brand, by the first digits. */
export function brandOf(digits: string): string {
  if (digits.startsWith('4')) return 'Visa';
  if (/^(5[1-5]|2[2-7])/.test(digits)) return 'Mastercard';
  if (/^3[47]/.test(digits)) return 'American Express';
  if (/^6(011|5)/.test(digits)) return 'Discover';
  return 'Card';
}
