import type { EvaluationContext } from '#questionnaire/evaluation.ts';
import type { FormItem } from '#questionnaire/form-item.ts';
import { changedAnswers } from '#questionnaire/visible-items.ts';
import type { Answers, Value } from '#questionnaire/values.ts';
import type { CalculatedForm, StartingAnswers } from './calculated-form.ts';

/** The worker gets the form once and then only answers. It replies to `begin` and `settle`, one after the other. */
export type WorkerRequest =
  | { kind: 'open'; form: CalculatedForm }
  | { kind: 'begin'; answers: Answers }
  | { kind: 'settle'; answers: Answers };

/** `ready`: the engine is loaded. */
export type WorkerReply = { kind: 'ready' } | ({ kind: 'began' } & StartingAnswers) | SettledReply;

export interface SettledReply {
  kind: 'settled';
  /** The answers that calculating changed; undefined for one that is gone. The others stay the objects that the screen knows. */
  changes: [key: string, values: readonly Value[] | undefined][];
  decided: EvaluationContext['decided'];
  broken: EvaluationContext['broken'];
  uncalculated: EvaluationContext['uncalculated'];
  /** An item refers to all others, so only what differs from the questionnaire's is sent. */
  offered: [key: string, offer: Offer][];
}

interface Offer extends Pick<FormItem, 'options' | 'takesOther'> {
  linkId: string;
}

/** What calculating these answers changed, as it leaves the worker. */
export function settledReply(
  given: Answers,
  { answers, setting }: { answers: Answers; setting: EvaluationContext },
): SettledReply {
  return {
    kind: 'settled',
    changes: changedAnswers(given, answers).map((key) => [key, answers[key]]),
    decided: setting.decided,
    broken: setting.broken,
    uncalculated: setting.uncalculated,
    offered: Array.from(setting.offered ?? [], ([key, { linkId, options, takesOther }]) => [
      key,
      { linkId, options, takesOther },
    ]),
  };
}
