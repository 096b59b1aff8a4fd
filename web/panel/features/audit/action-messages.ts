import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { CallbackMove } from '#contract/ambulatory/callbacks.ts';
import type { AuditAction } from '#contract/audit-actions.ts';
import type { Move } from '#contract/queue.ts';
import type { AuditEntry } from './use-audit.ts';

type Details = AuditEntry['details'];
/** A message, or how the details of an entry choose it. `settings` are the names of the changed settings. */
type ActionMessage = MessageDescriptor | ((details: Details, settings: string) => MessageDescriptor);

const moveMessages: Record<string, MessageDescriptor> = {
  arrive: msg`Checked in`,
  invite: msg`Invited and texted`,
  reinvite: msg`Invited again and texted`,
  remind: msg`Reminded by text`,
  onMyWay: msg`Said “On my way”`,
  imIn: msg`Said “I'm in”`,
  cancel: msg`Canceled the visit`,
  finish: msg`Moved to History`,
  remove: msg`Removed from the queue`,
  moveBack: msg`Moved back to the queue`,
} satisfies Record<Move, MessageDescriptor>;

const planMessages: Record<string, MessageDescriptor> = {
  start: msg`Started a membership plan`,
  upgrade: msg`Upgraded the membership plan`,
  downgrade: msg`Downgraded the membership plan`,
  keep: msg`Stayed on the current membership plan`,
  reactivate: msg`Re-activated the membership plan`,
};

const textOutcomeMessages: Record<string, MessageDescriptor> = {
  fail: msg`A text did not arrive`,
  hold: msg`A text was held back`,
  letGo: msg`A held text was released`,
  giveUp: msg`The delivery of a text could not be determined`,
};

const textChangeMessages: Record<string, MessageDescriptor> = {
  cancel: msg`Canceled a text`,
  release: msg`Released a held text`,
};

const callbackMessages: Record<string, MessageDescriptor> = {
  take: msg`Took a nurse callback`,
  takeOver: msg`Took over a nurse callback`,
  release: msg`Put a nurse callback back`,
  close: msg`Closed a nurse callback`,
  withdraw: msg`Withdrew a nurse callback`,
} satisfies Record<CallbackMove, MessageDescriptor>;

const settledMessages: Record<string, MessageDescriptor> = {
  SUCCEEDED: msg`A payment or refund went through`,
  FAILED: msg`A payment or refund failed`,
  CANCELLED: msg`A payment was canceled`,
  UNKNOWN: msg`The outcome of a payment could not be determined`,
};

const unlockMessages: Record<string, MessageDescriptor> = {
  pin: msg`Unlocked the panel with a PIN`,
  passkey: msg`Unlocked the panel with a passkey`,
  authenticator: msg`Unlocked the panel with an authenticator app`,
  code: msg`Unlocked the panel with a code`,
};

const flagMessage = ({ flag, value }: Details) => {
  if (value === null) return msg`Switched ${{ flag: String(flag) }} back to its default`;
  return value ? msg`Switched ${{ flag: String(flag) }} on` : msg`Switched ${{ flag: String(flag) }} off`;
};

const actionMessages: Record<AuditAction, ActionMessage> = {
  'queue.read': msg`Viewed the queue`,
  'visit.read': msg`Opened a visit with its messages`,
  'visit.read-by-patient': msg`Opened their visit page`,
  'visit.arrive': msg`Checked in`,
  'visit.expect': msg`Texted the check-in link to a patient`,
  'visit.link': msg`Sent the link to an open visit again`,
  'visit.still-waiting': msg`Asked “Still waiting?”`,
  'visit.name': msg`Entered the names of the people being seen`,
  'visit.language': ({ language }) => (language === 'es' ? msg`Chose Spanish` : msg`Chose English`),
  'visit.move': ({ move }) => moveMessages[String(move)] ?? msg`Changed a visit’s status`,
  'message.send': msg`Sent a message`,
  'conversation.list': msg`Viewed the inbox`,
  'conversation.read': msg`Opened a conversation`,
  'conversation.close': msg`Closed a conversation`,
  'conversation.reopen': ({ held }) =>
    held ? msg`Said that a held-back chat is not advertising` : msg`Reopened a conversation`,
  'conversation.assign': msg`Assigned a conversation`,
  'conversation.block': msg`Blocked a visitor of the website`,
  'conversation.unblock': msg`Unblocked a visitor of the website`,
  'conversation.hold': msg`Wrote what looks like advertising in the website chat: held back`,
  'conversation.release': msg`Said that a held-back chat is not advertising`,
  'patient.list': msg`Viewed the patient list`,
  'patient.read': msg`Opened a patient in the patient list`,
  'message.receive': msg`Wrote to the practice`,
  'chat.start': msg`Started a chat on the website`,
  'chat.read': msg`Read their chat on the website`,
  'chat.name': msg`Gave a name in the website chat`,
  'chat.code': msg`Asked for a code to verify a phone number`,
  'chat.verify': msg`Verified a phone number in the website chat`,
  'chat.end': msg`Ended their chat on the website`,
  'episode.invite': msg`Invited a patient to daily surveys`,
  'episode.withdraw': msg`Withdrew an invitation to daily surveys`,
  'episode.list': msg`Viewed the list of ambulatory patients`,
  'episode.read': msg`Opened an ambulatory patient`,
  'episode.read-by-patient': msg`Opened their survey page`,
  'episode.notes': msg`Saved notes about an ambulatory patient`,
  'episode.follow-up': ({ active }) => (active ? msg`Resumed a patient’s surveys` : msg`Ended a patient’s surveys`),
  'episode.consent': msg`Agreed to daily surveys`,
  'episode.language': msg`Chose another language for surveys`,
  'episode.decline': msg`Declined daily surveys`,
  'survey.send': msg`A survey was sent`,
  'survey.read-by-patient': msg`Opened a survey to fill it in`,
  'survey.save': msg`Began a survey`,
  'survey.photo': msg`Added a photo to a survey`,
  'survey.submit': msg`Submitted a survey`,
  'callback.list': msg`Viewed the nurse callbacks`,
  'callback.raise': msg`Asked for a nurse to call`,
  'callback.move': ({ move }) => callbackMessages[String(move)] ?? msg`Changed a nurse callback`,
  'text.stop': msg`Opted out of texts (STOP)`,
  'text.start': msg`Opted in to texts again (START)`,
  'text.help': msg`Asked for help by text (HELP)`,
  'text.here': msg`Said by text that they are here (HERE)`,
  'text.read': msg`Viewed the outbox, or the preview of a text to several people`,
  'text.send': msg`Texted patients`,
  'text.change': ({ move }) => textChangeMessages[String(move)] ?? msg`Changed a text that was not sent yet`,
  'text.cancel-send': msg`Canceled the texts of a send that had not gone out`,
  'text.outcome': ({ move }) => textOutcomeMessages[String(move)] ?? msg`A text’s status changed`,
  'settings.change': ({ changed }, settings) => (changed ? msg`Changed settings: ${settings}` : msg`Changed settings`),
  'office.add': msg`Set up the practice`,
  'office.register': msg`Registered the practice`,
  'office.confirmation-code': msg`Texted a code to confirm the practice`,
  'office.confirm': msg`Confirmed the practice`,
  'office.limit': msg`Limited the practice until it is confirmed again`,
  'agreement.ask': msg`Sent the HIPAA agreement for signature`,
  'agreement.link': msg`Created a link to sign the agreement`,
  'agreement.sign': msg`The agreement was signed`,
  'agreement.file': msg`Saved the signed agreement`,
  'agreement.decline': msg`Signing the agreement was declined`,
  'agreement.expire': msg`The request to sign the agreement expired`,
  'agreement.cancel': msg`Canceled the request to sign the agreement`,
  'agreement.fail': msg`The agreement could not be sent for signature`,
  'agreement.remind': msg`Reminded the practice by email to sign the agreement`,
  'agreement.download': msg`Downloaded the signed agreement`,
  'membership.plan': ({ move }) => planMessages[String(move)] ?? msg`Changed the membership plan`,
  'membership.cancel': msg`Canceled the membership plan`,
  'membership.card': msg`Changed the payment method`,
  'membership.customer': msg`Registered the practice with the card provider`,
  'merchant.begin': msg`Began an application for card payments`,
  'merchant.save': msg`Saved answers of the application for card payments`,
  'merchant.open': msg`Opened the payment provider’s form`,
  'merchant.submit': msg`The application for card payments was submitted`,
  'merchant.return': msg`The payment provider needs more information for the application`,
  'merchant.approve': msg`The application for card payments was approved`,
  'merchant.reject': msg`The application for card payments was not approved`,
  'office.change': ({ changed }, settings) =>
    changed ? msg`Changed the practice: ${settings}` : msg`Changed the practice`,
  'staff.invite': msg`Invited a colleague`,
  'staff.revoke': msg`Canceled an invitation`,
  'staff.join': msg`Joined the practice`,
  'staff.decline': msg`An invitation was declined`,
  'feature.request': msg`Asked for a feature`,
  'support.write': msg`Wrote to support`,
  'staff.add': msg`Gave a person access`,
  'staff.remove': msg`Removed a person’s access`,
  'staff.view': msg`Changed which screens a colleague sees`,
  'flags.change': flagMessage,
  'form.ask': msg`Asked for a form by text`,
  'form.begin': msg`Began a form`,
  'form.photo': msg`Added a photo to a form`,
  'form.submit': msg`Submitted a form`,
  'form.open': msg`Opened a form`,
  'form.download': msg`Downloaded a form`,
  'form.send': ({ sent }) =>
    sent === true ? msg`Sent a form to the FHIR server` : msg`Asked to send a form to the FHIR server`,
  'form.list-by-patient': msg`Viewed the visit’s forms`,
  'form.read-by-patient': msg`Opened a form to fill it in`,
  'form.open-by-patient': msg`Opened the copy of a form`,
  'form.check': msg`Checked a form before loading it`,
  'form.load': msg`Loaded a form`,
  'form.use': ({ version }) =>
    version === 0 ? msg`Removed a form` : msg`Chose version ${{ version: String(version) }} of a form`,
  'form.save': msg`Saved a step of a form`,
  'forms.download': msg`Downloaded forms`,
  'forms.read': msg`Viewed the list of forms`,
  'payment.request': msg`Requested a payment`,
  'payment.read': msg`Opened a payment`,
  'payment.list': msg`Viewed the payments`,
  'payment.download': msg`Downloaded the payments as a file`,
  'payment.form': msg`Opened the card form`,
  'payment.pay': msg`Paid by card`,
  'payment.settle': ({ to }) => settledMessages[String(to)] ?? msg`A payment’s status changed`,
  'payment.void': msg`Canceled a payment`,
  'payment.refund': msg`Refunded a payment`,
  'payment.record': ({ to }) =>
    to === 'recorded'
      ? msg`A payment was recorded in the practice software`
      : msg`Tried to record a payment in the practice software`,
  'payment.resolve': msg`Resolved an open question about a payment`,
  'share.make': msg`Created a link to share forms outside the practice`,
  'share.revoke': msg`Ended a link that shared forms outside the practice`,
  'share.read': msg`Viewed who forms are shared with`,
  'share.open': msg`A shared link was opened`,
  'share.open-form': msg`A form was opened by a shared link`,
  'session.start': msg`Signed in`,
  'session.end': msg`Signed out`,
  'session.revoke': msg`Signed out for safety: an old sign-in token was used again`,
  'session.lock': msg`Locked the panel`,
  'session.unlock': ({ by }) => unlockMessages[String(by)] ?? msg`Unlocked the panel`,
  'passkey.add': msg`Added a passkey`,
  'passkey.remove': msg`Removed a passkey`,
  'pin.set': msg`Set a PIN to unlock a device`,
  'pin.remove': msg`Removed the PIN of a device`,
  'pin.wrong': msg`A wrong PIN was entered on a locked device`,
  'pin.void': msg`A PIN was removed after too many wrong tries`,
  'authenticator.set': msg`Turned on an authenticator app`,
  'authenticator.remove': msg`Removed the authenticator app`,
  'system.restore': msg`Everything was restored from a backup`,
  'audit.read': msg`Viewed the activity log`,
  'audit.download': msg`Downloaded the activity log as a file`,
  'audit.verify': ({ findings }) =>
    findings === 0
      ? msg`Checked the activity log: unchanged`
      : msg`Checked the activity log: problems found: ${{ findings: String(findings) }}`,
};

/** The message for an action; undefined for one that only a newer server knows. */
export function actionMessage(action: string, details: Details, settings: string): MessageDescriptor | undefined {
  const message = (actionMessages as Record<string, ActionMessage>)[action];
  return typeof message === 'function' ? message(details, settings) : message;
}
