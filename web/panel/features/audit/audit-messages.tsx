import { refusals, type RefusalCode } from '#contract/refusals.ts';
import { useLingui } from '@lingui/react/macro';
import { productName } from '#web/kit/title.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { actionMessage } from './action-messages.ts';
import { useSettingNames } from './setting-names.ts';
import type { AuditEntry } from './use-audit.ts';

/** The text for who acted. */
export function useActorName(): (entry: Pick<AuditEntry, 'actor' | 'actorName'>) => string {
  const { t } = useLingui();
  return ({ actor, actorName }) =>
    ({
      staff: actorName ?? t`A former colleague`,
      patient: t`The patient`,
      timer: t`Auto-invite`,
      operator: t`The operator of this installation`,
      house: productName,
    })[actor];
}

/** What was done, as a phrase. An action that only a newer server knows is shown as its code. */
export function useActionMessage(): (entry: Pick<AuditEntry, 'action' | 'details'>) => string {
  const { t } = useLingui();
  const settingNames = useSettingNames();
  return ({ action, details }) => {
    const message = actionMessage(action, details, settingNames(String(details.changed ?? '')));
    return message ? t(message) : action;
  };
}

/** Why an action was refused, in the message that the person read; nothing if it succeeded. */
export function useRefusalMessage(): (entry: Pick<AuditEntry, 'outcome'>) => string | null {
  const language = useLanguage();
  return ({ outcome }) => {
    if (outcome === 'done') return null;
    return outcome in refusals ? refusals[outcome as RefusalCode][language] : outcome;
  };
}
