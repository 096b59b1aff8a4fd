import type { FormItem } from '#questionnaire/form-item.ts';

/** How many different answers an item can have at most. It reads every option, so look at `minOccurs` first. */
export function mostAnswers({ type, options, takesOther }: FormItem): number {
  if ((type !== 'choice' && type !== 'open-choice') || takesOther) return Infinity;
  return Math.max(options.filter(({ exclusive }) => !exclusive).length, Math.min(options.length, 1));
}
