/** A type as kysely-codegen writes it. Its own parser for types given as text needs an older TypeScript. */
type TypeNode =
  | { type: 'Identifier'; name: string }
  | { type: 'Literal'; value: string }
  | { type: 'UnionExpression'; args: TypeNode[] }
  | { type: 'GenericExpression'; name: string; args: TypeNode[] };

const named = (name: string): TypeNode => ({ type: 'Identifier', name });
const oneOf = (...values: string[]): TypeNode => ({
  type: 'UnionExpression',
  args: values.map((value) => ({ type: 'Literal', value })),
});
const generic = (name: 'Generated' | 'JSONColumnType' | 'Record', ...args: TypeNode[]): TypeNode => ({
  type: 'GenericExpression',
  name,
  args,
});

const jsonOf = (name: string) => generic('JSONColumnType', named(name));

/** A JSON object with a default value. */
const jsonObject = generic(
  'Generated',
  generic('JSONColumnType', generic('Record', named('string'), named('unknown'))),
);

/**
 * What kysely-codegen cannot see: the values that a check constraint allows in a text column, and the shape of a JSON column. With these no
 * statement reads or writes such a column as any string.
 */
export const columnTypes: Record<string, TypeNode> = {
  'agreement.state': named('AgreementState'),
  'audit_entry.actor': named('AuditActor'),
  'auth.challenge.purpose': oneOf('register', 'sign-in', 'unlock'),
  'auth.identity.kind': oneOf('email', 'phone'),
  'auth.office_directory.kind': oneOf(
    'agreement',
    'invitation_link',
    'invited',
    'merchant',
    'npi',
    'person',
    'share_link',
    'text_number',
    'visit_link',
    'visitor',
  ),
  'auth.person.language': named('Language'),
  'auth.person.preferences': jsonObject,
  'auth.person.settings': jsonObject,
  'auth.session.kind': oneOf('cookie', 'bearer'),
  'blocked_number.block': named('TextBlock'),
  'built_in_form.name': jsonOf('Translations'),
  'built_in_form.questionnaire': jsonOf('Questionnaire'),
  'dev.outbox.channel': oneOf('text', 'email', 'push'),
  'dev.outbox.error_class': named('TextErrorClass'),
  'card.invoice.status': named('InvoiceStatus'),
  'card.payment_method.behavior': oneOf('ok', 'charge_declined'),
  'card.subscription.status': named('MembershipStatus'),
  'card.token.behavior': named('PlanCardBehavior'),
  'esign.link.language': named('Language'),
  'esign.request.state': generic('Generated', oneOf('open', 'signed', 'declined', 'expired', 'canceled')),
  'feature_request.feature': named('RequestableFeature'),
  'file_link.disposition': oneOf('inline', 'attachment'),
  'form_definition.name': jsonOf('Translations'),
  'form_definition.questionnaire': jsonOf('Questionnaire'),
  'form_file.kind': oneOf('photo', 'signature', 'pdf'),
  'form_submission.language': named('Language'),
  'form_submission.outcome': named('FormOutcome'),
  'form_submission.state': generic('Generated', oneOf('draft', 'submitted', 'amended')),
  'invitation.kind': oneOf('email', 'phone'),
  'invitation.state': generic('Generated', oneOf('open', 'accepted', 'revoked', 'declined')),
  'charges.card.behavior': named('CardBehavior'),
  'charges.transfer.behavior': named('CardBehavior'),
  'charges.transfer.kind': oneOf('charge', 'reversal'),
  'charges.transfer.state': oneOf('PENDING', 'SUCCEEDED', 'FAILED', 'CANCELED'),
  'conversation.channel': generic('Generated', named('ConversationChannel')),
  'conversation.last_content': generic('Generated', named('MessageContent')),
  'conversation.last_sender': named('MessageWriter'),
  'conversation.state': generic('Generated', named('ConversationState')),
  'merchant.form.decision': oneOf('approved', 'rejected'),
  'merchant.form.language': named('Language'),
  'merchant.form.state': generic('Generated', oneOf('open', 'processing', 'approved', 'rejected')),
  'merchant_application.address_answers': generic('JSONColumnType', named('AddressAnswers')),
  'merchant_application.details_answers': generic('JSONColumnType', named('DetailsAnswers')),
  'merchant_application.state': generic('Generated', named('MerchantState')),
  'message.channel': named('ConversationChannel'),
  'message.content': generic('Generated', named('MessageContent')),
  'message.keyword': named('Keyword'),
  'message.kind': named('MessageKind'),
  'message.picture_problem': named('PictureProblem'),
  'message.sender': named('MessageWriter'),
  'office.confirmed_by': oneOf('operator', 'phone', 'demo', 'migration'),
  'office.chat_settings': generic('Generated', generic('JSONColumnType', named('SavedChatSettings'))),
  'office.message_settings': generic('Generated', generic('JSONColumnType', named('SavedMessageSettings'))),
  'office.queue_settings': jsonOf('QueueSettings'),
  'office.settings': jsonObject,
  'membership_plan.subscription': generic(
    'Generated',
    generic('JSONColumnType', { type: 'UnionExpression', args: [named('Subscription'), named('null')] }),
  ),
  'patient.language': generic('Generated', named('Language')),
  'provider_operation.state': generic('Generated', oneOf('running', 'done', 'refused', 'unknown')),
  'payment.state': named('PaymentState'),
  'payment_recording.part': oneOf('copay', 'claims'),
  'payment_recording.state': oneOf('due', 'sending', 'recorded', 'refused', 'unknown', 'dropped'),
  'payment_refund.kind': oneOf('refund', 'void'),
  'payment_refund.state': named('RefundState'),
  'practice_software.behavior.mode': oneOf('refuse', 'no-answer'),
  'push_subscription.due_for': generic('Generated', named('PushReason')),
  'push_subscription.language': generic('Generated', named('Language')),
  'queue_entry.status': named('VisitStatus'),
  'text.error_class': named('TextProblem'),
  'text.kind': named('TextKind'),
  'text.state': generic('Generated', named('TextState')),
  'visitor.language': named('Language'),
  'visit.acted_by': generic('Generated', named('VisitActor')),
  'visit.end_reason': named('EndReason'),
  'visit.language': generic('Generated', named('Language')),
  'visit.status': named('VisitStatus'),
  'visit.status_before': named('VisitStatus'),
  'visit_event.actor': named('VisitActor'),
  'visit_event.from_status': named('VisitStatus'),
  'visit_event.to_status': named('VisitStatus'),
};

/** Where the names in `columnTypes` are exported. */
export const columnTypeImports: Record<string, string> = Object.fromEntries(
  Object.entries({
    '#contract/agreement.ts': ['AgreementState'],
    '#contract/audit.ts': ['AuditActor'],
    '#contract/conversations.ts': ['ConversationChannel', 'ConversationState', 'MessageContent', 'MessageWriter'],
    '#contract/copay.ts': ['PaymentState', 'RefundState'],
    '#contract/feature-requests.ts': ['RequestableFeature'],
    '#contract/forms/shapes.ts': ['FormOutcome'],
    '#contract/merchant.ts': ['AddressAnswers', 'DetailsAnswers', 'MerchantState'],
    '#contract/membership.ts': ['MembershipStatus', 'Subscription'],
    '#contract/practice/chat-settings.ts': ['SavedChatSettings'],
    '#contract/practice/message-settings.ts': ['SavedMessageSettings'],
    '#contract/practice/office.ts': ['QueueSettings'],
    '#contract/push.ts': ['PushReason'],
    '#contract/queue.ts': [
      'EndReason',
      'MessageKind',
      'PictureProblem',
      'TextBlock',
      'TextErrorClass',
      'TextState',
      'TextKind',
      'TextProblem',
      'VisitActor',
      'VisitStatus',
    ],
    '#contract/shapes.ts': ['Language', 'Translations'],
    '#contract/texting.ts': ['Keyword'],
    '#questionnaire/questionnaire.ts': ['Questionnaire'],
    '#server/providers/charges/test-cards.ts': ['CardBehavior'],
    '#server/providers/card/port.ts': ['InvoiceStatus'],
    '#server/providers/card/test-cards.ts': ['PlanCardBehavior'],
  }).flatMap(([file, names]) => names.map((name) => [name, `${file}#${name}`])),
);
