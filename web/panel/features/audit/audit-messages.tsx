import type { AuditAction } from '#contract/audit-actions.ts';
import type { Move } from '#contract/queue.ts';
import { refusals, type RefusalCode } from '#contract/refusals.ts';
import { useLingui } from '@lingui/react/macro';
import { productName } from '#web/kit/title.ts';
import { useLanguage } from '#web/kit/i18n.ts';
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

/** What was done, in words. An action that only a newer server knows is shown as its code. */
export function useActionMessage(): (entry: Pick<AuditEntry, 'action' | 'details'>) => string {
  const { t } = useLingui();
  const settingWords = useSettingWords();
  return ({ action, details }) => {
    const { move, changed, flag, value, findings, language, version } = details;
    const moves: Record<Move, string> = {
      arrive: t`Checked in`,
      invite: t`Invited and texted`,
      reinvite: t`Invited again and texted`,
      remind: t`Reminded by text`,
      onMyWay: t`Said “On my way”`,
      imIn: t`Said “I'm in”`,
      cancel: t`Cancelled the visit`,
      finish: t`Moved to History`,
      remove: t`Removed from the queue`,
      moveBack: t`Moved back to the queue`,
    };
    const texts: Record<string, string> = {
      fail: t`A text did not arrive`,
      hold: t`A text was held back`,
      letGo: t`A held text was released`,
      giveUp: t`The delivery of a text could not be determined`,
    };
    const named: Record<AuditAction, string> = {
      'queue.read': t`Viewed the queue`,
      'visit.read': t`Opened a visit with its messages`,
      'visit.read-by-patient': t`Opened their visit page`,
      'visit.arrive': t`Checked in`,
      'visit.expect': t`Texted the check-in link to a patient`,
      'visit.link': t`Sent the link to an open visit again`,
      'visit.still-waiting': t`Asked “Still waiting?”`,
      'visit.language': language === 'es' ? t`Chose Spanish` : t`Chose English`,
      'visit.move': textFor(moves, move) ?? t`Changed a visit’s status`,
      'message.send': t`Sent a message`,
      'message.receive': t`Sent a text to the practice`,
      'text.stop': t`Opted out of texts (STOP)`,
      'text.start': t`Opted in to texts again (START)`,
      'text.help': t`Asked for help by text (HELP)`,
      'text.outcome': textFor(texts, move) ?? t`A text’s status changed`,
      'settings.change': changed ? t`Changed settings: ${settingWords(String(changed))}` : t`Changed settings`,
      'office.add': t`Set up the practice`,
      'office.register': t`Registered the practice`,
      'office.confirmation-code': t`Texted a code to confirm the practice`,
      'office.confirm': t`Confirmed the practice`,
      'office.limit': t`Limited the practice until it is confirmed again`,
      'agreement.ask': t`Sent the HIPAA agreement for signature`,
      'agreement.link': t`Created a link to sign the agreement`,
      'agreement.sign': t`The agreement was signed`,
      'agreement.file': t`Saved the signed agreement`,
      'agreement.decline': t`Signing the agreement was declined`,
      'agreement.expire': t`The request to sign the agreement expired`,
      'agreement.cancel': t`Canceled the request to sign the agreement`,
      'agreement.fail': t`The agreement could not be sent for signature`,
      'agreement.remind': t`Reminded the practice by email to sign the agreement`,
      'agreement.download': t`Downloaded the signed agreement`,
      'office.change': changed ? t`Changed the practice: ${settingWords(String(changed))}` : t`Changed the practice`,
      'staff.invite': t`Invited a colleague`,
      'staff.revoke': t`Canceled an invitation`,
      'staff.join': t`Joined the practice`,
      'staff.decline': t`An invitation was declined`,
      'support.write': t`Wrote to support`,
      'staff.add': t`Gave a person access`,
      'staff.remove': t`Removed a person's access`,
      'staff.view': t`Changed whose view a person has`,
      'flags.change': t`Switched ${String(flag)} ${value === null ? t`back to its default` : value ? t`on` : t`off`}`,
      'form.ask': t`Asked for a form by text`,
      'form.begin': t`Began a form`,
      'form.photo': t`Added a photo to a form`,
      'form.submit': t`Submitted a form`,
      'form.open': t`Opened a form`,
      'form.download': t`Downloaded a form`,
      'form.list-by-patient': t`Viewed the visit's forms`,
      'form.read-by-patient': t`Opened a form to fill it in`,
      'form.open-by-patient': t`Opened the copy of a form`,
      'form.check': t`Checked a form before loading it`,
      'form.load': t`Loaded a form`,
      'form.use': version === 0 ? t`Removed a form` : t`Chose version ${String(version)} of a form`,
      'form.save': t`Saved a step of a form`,
      'forms.download': t`Downloaded forms`,
      'forms.read': t`Viewed the list of forms`,
      'share.make': t`Created a link to share forms outside the practice`,
      'share.revoke': t`Ended a link that shared forms outside the practice`,
      'share.read': t`Viewed who forms are shared with`,
      'share.open': t`A shared link was opened`,
      'share.open-form': t`A form was opened by a shared link`,
      'session.start': t`Signed in`,
      'session.end': t`Signed out`,
      'session.revoke': t`Signed out for safety: an old sign-in token was used again`,
      'session.lock': t`Locked the panel`,
      'session.unlock': t`Unlocked the panel`,
      'passkey.add': t`Added a passkey`,
      'passkey.remove': t`Removed a passkey`,
      'authenticator.set': t`Turned on an authenticator app`,
      'authenticator.remove': t`Removed the authenticator app`,
      'system.restore': t`Everything was restored from a backup`,
      'audit.read': t`Viewed the audit log`,
      'audit.verify':
        findings === 0
          ? t`Checked the audit log: unchanged`
          : t`Checked the audit log: problems found: ${String(findings)}`,
    };
    return textFor(named, action) ?? action;
  };
}

const textFor = (texts: Record<string, string>, code: unknown) => texts[String(code)];

/** The names of settings: stored name → text. */
function useSettingWords(): (names: string) => string {
  const { t } = useLingui();
  const language = useLanguage();
  const words: Record<string, string> = {
    autoInviteEnabled: t`auto-invite`,
    autoInviteWaitTime: t`auto-invite time`,
    greeting: t`greeting`,
    lateMinutes: t`late marks`,
    openingHours: t`opening hours`,
    forms: t`the forms patients are asked for`,
    readyItems: t`what makes a visit ready`,
    lockMinutes: t`minutes until the panel locks`,
    requiresAuthenticator: t`authenticator app for everyone`,
    name: t`name`,
    addressLine1: t`address`,
    city: t`city`,
    state: t`state`,
    zip: t`ZIP code`,
    email: t`email`,
    url: t`website`,
    itContact: t`IT contact`,
    emr: t`management software`,
    patientSize: t`number of patients`,
    agesTreated: t`ages treated`,
    npi: 'NPI',
    timeZone: t`time zone`,
    textNumber: t`text number`,
    agreementSigned: t`agreement`,
  };
  return (names) =>
    new Intl.ListFormat(language, { type: 'unit' }).format(
      names.split(' ').map((name) => words[name.replace(/^queue\.([^.]+).*/, '$1')] ?? name),
    );
}

/** Why an action was refused, in the message that the person read; nothing if it succeeded. */
export function useRefusalMessage(): (entry: Pick<AuditEntry, 'outcome'>) => string | null {
  const language = useLanguage();
  return ({ outcome }) => {
    if (outcome === 'done') return null;
    return outcome in refusals ? refusals[outcome as RefusalCode][language] : outcome;
  };
}
