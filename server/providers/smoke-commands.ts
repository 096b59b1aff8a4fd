import { PDFDocument } from 'pdf-lib';
import { Mistake, type Asked, type Command, type Desk } from '#server/kit/command.ts';
import { openPaper } from '#server/kit/paper.ts';
import { EsignRefused } from './esign/port.ts';

const address = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Small real calls to the outside world, for whoever has an account: nothing else here has ever met the live services. */
export const smokeCommands: readonly Command[] = [
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
];

function addressOf({ words }: Asked): string {
  const [given = '', ...rest] = words;
  if (!address.test(given) || rest.length > 0) throw new Mistake('Give one email address.');
  return given;
}

async function smokeEmail({ house, say }: Desk, asked: Asked): Promise<void> {
  const { email } = house.providers;
  const to = addressOf(asked);
  const product = house.env.productName;
  const text = `This mail shows that ${product} can send mail.\n\nIf you did not ask for it, ignore it.`;
  await email.send({ to, subject: `${product}: a test`, text, reference: house.id() });
  say(email.name === 'local' ? 'No mail server is given, so it is in /dev/outbox.' : 'The mail server took it.');
}

async function smokeEsign({ house, say }: Desk, asked: Asked): Promise<number | void> {
  const { esign } = house.providers;
  const email = addressOf(asked);
  const inTestMode = esign.name === 'local' || house.env.dropboxSign?.testMode;
  if (!inTestMode && !asked.switches.has('binding'))
    throw new Mistake('This would be a binding request. Set DROPBOX_SIGN_TEST_MODE=1, or say --binding.');
  const reference = `smoke.${house.id()}`;

  const step = async <T>(name: string, work: () => Promise<T>, tell: (result: T) => string): Promise<T> => {
    const began = performance.now();
    const result = await work().catch((error: unknown) => {
      throw new Error(`${name}: ${error instanceof EsignRefused ? error.reason : String(error)}`);
    });
    say(`${name.padEnd(14)}${tell(result)} (${Math.round(performance.now() - began)} ms)`);
    return result;
  };

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
  const person = { id: house.id(), signedInAs: email, language: 'en' as const };
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

async function onePage() {
  const pdf = await PDFDocument.create();
  const paper = await openPaper(pdf);
  paper.title('A test of signing');
  paper.paragraph('Nobody needs to sign this page. It is taken back at once.');
  const place = paper.field('Signature', { width: 220, height: 46 });
  return { pdf: Buffer.from(await pdf.save()), place };
}
