import type { Actor, Services } from '#server/context.ts';
import { requestSignature, syncAgreement } from '#server/features/agreement/index.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { openLink, sign } from '#server/providers/esign/local-signing.ts';
import { signingPageMessages } from '#server/providers/esign/local-messages.ts';

const visitor = { address: '203.0.113.20', userAgent: 'Demo' };

/** A demo office signs like any other, through the local provider, unless it already has an agreement. */
export async function signDemoAgreement(
  services: Services,
  officeId: string,
  { person, email }: { person: Actor; email: string },
): Promise<void> {
  const { esign } = services.providers;
  if (esign.name !== 'local' || person.kind !== 'staff' || (await hasAgreement(services, officeId))) return;
  const scope = officeScope(services, officeId, person, 'demo');
  const asked = await requestSignature(scope, { email, name: person.name, personId: person.id });
  if (asked === 'loading' || asked.requestId === null || asked.signatureId === null) return;
  const request = { requestId: asked.requestId, signatureId: asked.signatureId };
  const link = await esign.mintLink(request, { id: person.id, signedInAs: email, language: 'en' });
  const opened = await openLink(services, link.url.split('/').at(-1) ?? '', visitor);
  if ('closed' in opened) return;
  const written = { name: person.name, strokes: null, ratio: 0.3 };
  await sign(services, opened.page, written, { visitor, consent: signingPageMessages.en.consent });
  await syncAgreement(scope, asked.id);
}

function hasAgreement(services: Services, officeId: string): Promise<boolean> {
  return asOffice(services.db, officeId, async (tx) => {
    const found = await tx.selectFrom('agreement').select('id').where('officeId', '=', officeId).limit(1).execute();
    return found.length > 0;
  });
}
