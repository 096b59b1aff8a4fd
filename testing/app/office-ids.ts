/** Every id that a call can name, of one office. */
export interface OfficeIds {
  officeId: string;
  npi: string;
  visitId: string;
  userCode: string;
  /** The visit's createdAt, which identifies it for callers of the older API. */
  dateTime: string;
  phone: string;
  token: string;
  staffEmail: string;
  staffPhone: string;
  textNumber: string;
  providerId: string;
  personId: string;
  sessionId: string;
  passkeyId: string;
  credentialId: string;
  patientId: string;
  memberId: string;
  messageId: string;
  conversationId: string;
  /** A picture of that conversation. */
  pictureId: string;
  /** A picture on the page of `provedToken`. */
  visitPictureId: string;
  /** The conversation of a website visitor, their token, and a picture of it. */
  chatId: string;
  visitorToken: string;
  chatPictureId: string;
  /** A patient with an episode: its id, a link's token, the survey of the day, a photo, a callback, the PDF of a submitted survey. */
  episodeId: string;
  episodeCode: string;
  /** The number of an open invitation. */
  invitePhone: string;
  episodeToken: string;
  surveyId: string;
  plannedId: string;
  episodeFileId: string;
  callbackId: string;
  surveyKey: string;
  textId: string;
  /** Another member of the office. */
  colleagueId: string;
  invitationId: string;
  subscriptionId: string;
  definitionId: string;
  submissionId: string;
  /** The object key of its PDF. */
  formKey: string;
  fileId: string;
  /** At the payment provider. */
  identityId: string;
  shareId: string;
  /** A payment that was charged; one that is requested, and a proved link to its visit; one whose outcome is unknown. */
  chargeId: string;
  requestedId: string;
  provedToken: string;
  unknownId: string;
  /** Another one that is requested, for the call that withdraws it. */
  withdrawnId: string;
  /** A card's token. */
  card: string;
  /** At the card provider: the office, its subscription, a price of its own and an invoice. */
  customerId: string;
  planId: string;
  priceId: string;
  invoiceId: string;
}

/** Ids of the same shapes that do not exist. */
export const foreignIds: OfficeIds = {
  officeId: '019f1111-1111-7111-8111-111111111111',
  npi: '2999999999',
  visitId: '019f2222-2222-7222-8222-222222222222',
  userCode: 'AAAAAAAAAAAAAAAA',
  dateTime: '2026-03-02T14:59:59.123Z',
  phone: '+13125550000',
  token: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  staffEmail: 'nobody@nowhere.test',
  staffPhone: '+13125550001',
  textNumber: '+13125550002',
  providerId: 'SM00000000000000000000000000000000',
  personId: '019f3333-3333-7333-8333-333333333333',
  sessionId: '019f4444-4444-7444-8444-444444444444',
  passkeyId: '019f4444-4444-7444-8444-444444444445',
  credentialId: 'bm9ib2R5',
  patientId: '019f5555-5555-7555-8555-555555555555',
  memberId: '019f6666-6666-7666-8666-666666666666',
  messageId: '019f7777-7777-7777-8777-777777777777',
  conversationId: '019f7777-7777-7777-8777-777777777778',
  pictureId: '019f7777-7777-7777-8777-777777777779',
  visitPictureId: '019f7777-7777-7777-8777-77777777777a',
  chatId: '019f7777-7777-7777-8777-77777777777c',
  visitorToken: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  chatPictureId: '019f7777-7777-7777-8777-77777777777b',
  episodeId: '019f8888-8888-7888-8888-888888888881',
  episodeCode: 'BBBBBBBBBBBBBBBB',
  invitePhone: '+13125550003',
  episodeToken: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAC',
  surveyId: '019f8888-8888-7888-8888-888888888882',
  plannedId: '019f8888-8888-7888-8888-888888888883',
  episodeFileId: '019f8888-8888-7888-8888-888888888884',
  callbackId: '019f8888-8888-7888-8888-888888888885',
  surveyKey: '2999999999/2026/03/02/019f8888-8888-7888-8888-888888888886',
  textId: '019f8888-8888-7888-8888-888888888888',
  colleagueId: '019faaaa-aaaa-7aaa-8aaa-aaaaaaaaaaaa',
  invitationId: '019fbbbb-bbbb-7bbb-8bbb-bbbbbbbbbbbb',
  subscriptionId: '019fcccc-cccc-7ccc-8ccc-cccccccccccc',
  definitionId: '019fdddd-dddd-7ddd-8ddd-dddddddddddd',
  submissionId: '019feeee-eeee-7eee-8eee-eeeeeeeeeeee',
  formKey: '2999999999/2026/03/02/019feeee-eeee-7eee-8eee-eeeeeeeeeeef',
  fileId: '019fffff-ffff-7fff-8fff-ffffffffffff',
  identityId: 'IDaaaaaaaaaaaaaaaaaaaaaa',
  shareId: '019f0000-0000-7000-8000-000000000000',
  chargeId: '019f0000-0000-7000-8000-000000000001',
  requestedId: '019f0000-0000-7000-8000-000000000002',
  provedToken: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB',
  unknownId: '019f0000-0000-7000-8000-000000000003',
  withdrawnId: '019f0000-0000-7000-8000-000000000004',
  card: 'no-such-card',
  customerId: 'cus_local_019f0000000070008000000000000001',
  planId: 'sub_local_019f0000000070008000000000000002',
  priceId: 'price_local_pilot_1',
  invoiceId: 'in_local_019f0000000070008000000000000003',
};
