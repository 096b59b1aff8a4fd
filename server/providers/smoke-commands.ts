import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { emailPattern } from '#contract/email.ts';
import { UsageError, type CommandArguments, type Command, type CommandContext } from '#server/kit/command.ts';
import { createPdf } from '#server/kit/pdf/document.ts';
import { usPhone } from '#server/kit/phone.ts';
import { EsignRefused } from './esign/port.ts';
import { smokeMoneyCommands } from './smoke-money.ts';
import { reasonOf, stepper } from './smoke-steps.ts';
import { FileExists, newFileKey } from './storage/port.ts';

/** Small real calls to the outside services, for operators with an account: nothing else in this project has met the live services. */
export const smokeCommands: readonly Command[] = [
  {
    name: 'smoke sms',
    takes: 'NUMBER',
    says: 'Sends one text the way sign-in codes go, looks it up at the carrier, and says what became of it',
    run: smokeSms,
  },
  {
    name: 'smoke email',
    takes: 'ADDRESS',
    says: 'Sends one mail the way sign-in codes go, and says who carried it',
    run: smokeEmail,
  },
  {
    name: 'smoke esign',
    takes: 'SIGNER-ADDRESS [--binding]',
    says: 'Walks one signature request through the provider in use: asks, finds, reads, mints a link, takes it back. Only in test mode, unless --binding',
    switches: ['binding'],
    run: smokeEsign,
  },
  {
    name: 'smoke storage',
    takes: '',
    says: 'Puts a file into the store in use, reads it, opens its link, and removes it',
    run: smokeStorage,
  },
  ...smokeMoneyCommands,
];

function addressOf({ operands }: CommandArguments): string {
  const [address = '', ...rest] = operands;
  if (!emailPattern.test(address) || rest.length > 0) throw new UsageError('Give one email address.');
  return address;
}

async function smokeSms({ services, say }: CommandContext, { operands }: CommandArguments): Promise<void> {
  const to = usPhone(operands[0] ?? '');
  if (!to || operands.length > 1) throw new UsageError('Give one US mobile number.');
  const { env } = services;
  const { sms } = services.providers;
  const step = stepper(say);
  say(`provider      ${sms.name}`);
  const text = {
    from: env.codeNumber,
    to,
    body: `${env.productName} can send texts. If you did not ask for this, ignore it.`,
    reference: services.id(),
  };
  const after = services.now();
  const { providerId } = await step(
    'send',
    () => sms.send(text),
    (sent) => sent.providerId,
  );
  const noOthers = async () => ({ providerIds: new Set<string>(), undecidedTwin: false });
  await step(
    'look up',
    // An older text to the same number may be in the way: what matters is that the carrier's list can be read.
    () => sms.find({ ...text, after, ageMs: 0 }, noOthers).catch((error: unknown) => reasonOf(error)),
    (report) =>
      typeof report === 'string' ? report : report?.providerId === providerId ? report.state : 'another text',
  );
  if (sms.name === 'local') say('No carrier is given, so it is in /dev/outbox.');
}

async function smokeEmail({ services, say }: CommandContext, asked: CommandArguments): Promise<void> {
  const { email } = services.providers;
  const to = addressOf(asked);
  const product = services.env.productName;
  const text = `This mail shows that ${product} can send mail.\n\nIf you did not ask for it, ignore it.`;
  await email.send({ to, subject: `${product}: a test`, text, reference: services.id() });
  say(email.name === 'local' ? 'No mail server is given, so it is in /dev/outbox.' : 'The mail server took it.');
}

async function smokeEsign({ services, say }: CommandContext, asked: CommandArguments): Promise<number | void> {
  const { esign } = services.providers;
  const email = addressOf(asked);
  const inTestMode = esign.name === 'local' || services.env.dropboxSign?.testMode;
  if (!inTestMode && !asked.switches.has('binding'))
    throw new UsageError('This would be a binding request. Set DROPBOX_SIGN_TEST_MODE=1, or say --binding.');
  const reference = `smoke.${services.id()}`;

  const step = stepper(say);
  say(`provider      ${esign.name}`);
  const { pdf, place } = await onePage();
  const ask = { reference, title: 'A test of signing', fileName: 'test.pdf', pdf, place, readable: [] };
  const request = await step(
    'ask',
    () => esign.create({ ...ask, signer: { name: 'Test Signer', email } }),
    ({ requestId }) => requestId,
  );
  await step(
    'find again',
    () => esign.find(reference),
    (found) => (found?.requestId === request.requestId ? 'found' : 'NOT FOUND'),
  );
  await step(
    'read',
    () => esign.read(request.requestId),
    ({ state }) => state,
  );
  const person = { id: services.id(), signedInAs: email, language: 'en' as const };
  await step(
    'link',
    () => esign.mintLink(request, person),
    ({ expiresAt }) => `until ${expiresAt.toISOString()}`,
  );
  await step(
    'take back',
    () => esign.cancel(request.requestId),
    () => 'done',
  );
  const after = await esign.read(request.requestId).then(
    ({ state }) => state,
    (error: unknown) => (error instanceof EsignRefused ? error.reason : 'no answer'),
  );
  say(`afterwards    ${after}`);
  return after === 'signed' ? 1 : undefined;
}

/** Writes one small file, finds it, reads it back and removes it. */
async function smokeStorage({ services, say }: CommandContext): Promise<number | void> {
  const { storage } = services.providers;
  const step = stepper(say);
  const key = newFileKey(services, 'smoke');
  const content = Buffer.from(`${services.env.productName} can keep a file.`);
  const put = () => storage.put(key, Readable.from([content]), { contentType: 'text/plain' });
  const isSame = (read: Buffer) => {
    if (!read.equals(content)) throw new Error('the content read back differs');
    return 'the same';
  };
  const isTaken = async () => {
    const refusal = await refusalOf(put());
    if (!(refusal instanceof FileExists)) throw refusal ?? new Error('a key can be written twice');
    return 'refused, as it should be';
  };
  const asSaid = (said: string) => said;

  say(`provider      ${storage.name}`);
  await step('put', put, ({ bytes }) => `${bytes} bytes as ${key}`);
  try {
    await step('put again', isTaken, asSaid);
    await step('read', async () => isSame(await buffer((await storage.get(key)).content)), asSaid);
  } finally {
    await step(
      'remove',
      () => storage.delete(key),
      () => 'done',
    );
  }
  const after = await storage.head(key);
  say(`afterwards    ${after ? 'still there' : 'gone'}`);
  return after ? 1 : undefined;
}

const refusalOf = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error: unknown) => error,
  );

async function onePage() {
  const pdf = createPdf({ title: 'A test of signing', product: 'Anteroom', language: 'en-US' });
  pdf.title('A test of signing');
  pdf.paragraph('Nobody needs to sign this page. It is taken back at once.');
  const place = pdf.signatureBox('Signature', { width: 220, height: 46 });
  return { pdf: await pdf.finish(), place };
}
