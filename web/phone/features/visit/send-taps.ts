import { movePatientVisit, type PatientAction, type PatientVisit } from '#contract/patient/visit.ts';
import { call } from '#web/kit/call.ts';
import { newKey, retryUntilAnswered } from '#web/kit/retry-until-answered.ts';

interface TapHandlers {
  /** The taps that the server has not answered yet, oldest first. */
  onTaps: (taps: PatientAction[]) => void;
  onVisit: (visit: PatientVisit) => void;
  onError: (error: unknown) => void;
}

/**
 * Sends taps in order, each exactly once; without a network they wait. The returned function adds a tap, and returns false if the same
 * one is waiting already.
 */
export function sendTaps(token: string, signal: AbortSignal, { onTaps, onVisit, onError }: TapHandlers) {
  const unsent: { action: PatientAction; key: string }[] = [];
  let isSending = false;
  const report = () => onTaps(unsent.map(({ action }) => action));

  const sendAll = async () => {
    if (isSending) return;
    isSending = true;
    for (let tap = unsent[0]; tap && !signal.aborted; tap = unsent[0]) {
      const { action, key: idempotencyKey } = tap;
      const post = () => call(movePatientVisit, { params: { token }, body: { action } }, { idempotencyKey, signal });
      await retryUntilAnswered(post, signal).then(onVisit, onError);
      unsent.shift();
      report();
    }
    isSending = false;
  };

  return (action: PatientAction): boolean => {
    if (unsent.some((tap) => tap.action === action)) return false;
    unsent.push({ action, key: newKey() });
    report();
    void sendAll();
    return true;
  };
}
