/** How a card of the local payment provider behaves. */
export type CardBehavior = 'ok' | 'declined' | 'pending' | 'answer-lost' | 'no-answer';

/** The test cards of Stripe and of card brands. No other number is accepted: somebody might type a real one. */
const behaviors: Record<string, CardBehavior> = {
  '4242424242424242': 'ok',
  '4111111111111111': 'ok',
  '5555555555554444': 'ok',
  '2223003122003222': 'ok',
  '378282246310005': 'ok',
  '6011111111111117': 'ok',
  '4000000000000002': 'declined',
  // Insufficient funds, expired, and a wrong CVC.
  '4000000000009995': 'declined',
  '4000000000000069': 'declined',
  '4000000000000127': 'declined',
  // Stays pending until the provider settles it.
  '4000000000000077': 'pending',
  // Charged, but the answer gets lost: a look-up finds it.
  '4000000000000101': 'answer-lost',
  // Neither an answer nor a look-up: a person has to find out.
  '4000000000000119': 'no-answer',
};

/** How a test card behaves; null for every other number. */
export const behaviorOf = (number: string): CardBehavior | null => behaviors[number] ?? null;

/** The brand, by the first digits. */
export function brandOf(digits: string): string {
  if (digits.startsWith('4')) return 'Visa';
  if (/^(5[1-5]|2[2-7])/.test(digits)) return 'Mastercard';
  if (/^3[47]/.test(digits)) return 'American Express';
  if (/^6(011|5)/.test(digits)) return 'Discover';
  return 'Card';
}
