import type { Actor, Services } from '#server/context.ts';
import {
  referenceOf,
  runningApplication,
  saveAnswers,
  saveForm,
  skipSubmissionNotice,
  syncApplication,
} from '#server/features/merchant/index.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { createForm, decide, saveAnswers as saveFormAnswers, submit } from '#server/providers/merchant/local-forms.ts';
import { formById } from '#server/providers/merchant/local-sql.ts';

const addressAnswers = { line1: '48 Maple Street', city: 'Brooklyn', state: 'NY', zip: '11201' };
const detailsAnswers = {
  legalName: 'Maple Street Pediatrics LLC',
  knownAs: 'Maple Street Pediatrics',
  businessType: 'LIMITED_LIABILITY_COMPANY' as const,
  phone: '+12125550150',
  email: 'front@maple.test',
};

/** Maple applied for card payments like any other practice, through the local provider, and was approved a month ago. */
export async function approveDemoMerchant(now: Services, officeId: string, person: Actor): Promise<void> {
  if (now.providers.merchant.name !== 'local') return;
  const at = new Date(now.now().getTime() - 30 * 86_400_000);
  const services = { ...now, now: () => at, auditNow: now.now };
  const scope = officeScope(services, officeId, person, 'demo');
  const row = await scope.transaction((tx) => runningApplication(tx, scope));
  if (row.state !== 'draft') return;
  await saveAnswers(scope, { addressAnswers, detailsAnswers });
  const back = `${services.env.publicUrl}/finix-forms`;
  const { formId } = await createForm(services, {
    operationId: services.id(),
    reference: referenceOf(row),
    language: 'en',
    prefill: { npi: '1234567893', address: addressAnswers, details: detailsAnswers },
    links: { returnUrl: `${back}?`, expiredUrl: `${back}?expired=true`, termsUrl: back },
  });
  await saveForm(scope, row, formId);
  const form = await formById(services.db, formId);
  if (!form) return;
  const answers = { ...(form.answers as Record<string, string>), account: '6789' };
  await saveFormAnswers(services, form, answers, 5);
  await submit(services, { ...form, answers }, 'approved');
  await decide(services, formId, 'approved');
  await syncApplication(scope, row.id);
  await skipSubmissionNotice(scope, row.id);
}
