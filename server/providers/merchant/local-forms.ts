import { randomInt } from 'node:crypto';
import type { Services } from '#server/context.ts';
import { hashToken, newToken } from '#server/kit/crypto/secret.ts';
import type { Tx } from '#server/kit/db/db.ts';
import {
  addEvent,
  answersOf,
  changeForm,
  decideForm,
  expireLinks,
  formById,
  formByReference,
  formsToDecide,
  insertForm,
  insertLink,
  linkByToken,
  saveStep,
  submitForm,
  type FormAnswers,
  type FormRow,
  type Review,
} from './local-sql.ts';
import { MerchantRefused, type HostedLink, type Merchant, type Onboarding } from './port.ts';

type Provider = Pick<Services, 'db' | 'id' | 'now'>;

export const linkLifeMs = 60 * 60_000;
/** How long a review takes here. */
const reviewMs = 5_000;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Creates the form of a reference, or takes the one that is there, with a new link to it. */
export async function createForm(
  services: Provider,
  { reference, language, prefill, links }: Parameters<Merchant['createForm']>[0],
): Promise<{ formId: string; link: HostedLink }> {
  return services.db.transaction().execute(async (tx) => {
    const added = await insertForm(tx, {
      id: services.id(),
      reference,
      language,
      answers: JSON.stringify(prefilledAnswers(prefill)),
      returnUrl: links.returnUrl,
      expiredUrl: links.expiredUrl,
      createdAt: services.now(),
    });
    const form = added ?? (await formByReference(tx, reference));
    if (added) await addEvent(tx, services, form.id, 'onboarding_form.created');
    return { formId: form.id, link: await addLink(tx, services, form.id) };
  });
}

function prefilledAnswers({ address, details }: Parameters<Merchant['createForm']>[0]['prefill']): FormAnswers {
  return {
    ...(details && { legalName: details.legalName, businessType: details.businessType, phone: details.phone }),
    ...(address && { line1: address.line1, city: address.city, state: address.state, zip: address.zip }),
  };
}

/** Another link to a form, which continues where it was left. */
export async function createLink(
  services: Provider,
  formId: string,
  { language, links }: Parameters<Merchant['createLink']>[1],
): Promise<HostedLink> {
  const form = await requireForm(services, formId);
  return services.db.transaction().execute(async (tx) => {
    await changeForm(tx, form.id, { language, returnUrl: links.returnUrl, expiredUrl: links.expiredUrl });
    return addLink(tx, services, form.id);
  });
}

async function addLink(tx: Tx, { now }: Provider, formId: string): Promise<HostedLink> {
  const token = newToken();
  const expiresAt = new Date(now().getTime() + linkLifeMs);
  await insertLink(tx, { tokenHash: hashToken(token), formId, createdAt: now(), expiresAt });
  return { url: `/merchant/form/${token}`, expiresAt };
}

async function requireForm({ db }: Provider, formId: string): Promise<FormRow> {
  const form = uuid.test(formId) ? await formById(db, formId) : undefined;
  if (!form) throw new MerchantRefused('not-found');
  return form;
}

export async function readForm(services: Provider, formId: string): Promise<Onboarding> {
  const { state, reference, identityId, merchantId, bankLastFour } = await requireForm(services, formId);
  const bank = state === 'open' ? null : { lastFour: bankLastFour };
  return { state, reference, identityId, merchantId, bank };
}

/** The form a link opens; `expired` once its hour is over. */
export async function formOfLink(
  { db, now }: Provider,
  token: string,
): Promise<{ form: FormRow; expired: boolean } | undefined> {
  const link = await linkByToken(db, hashToken(token));
  const form = link && (await formById(db, link.formId));
  return form && link && { form, expired: link.expiresAt <= now() };
}

/** Ends the links of a form early. */
export async function endLinks(services: Provider, formId: string): Promise<void> {
  const { id } = await requireForm(services, formId);
  await expireLinks(services.db, id, services.now());
}

/** Saves one step, and so what was done until then. False if the form was submitted meanwhile. */
export function saveAnswers({ db }: Provider, form: FormRow, answers: FormAnswers, done: number): Promise<boolean> {
  return db.transaction().execute((tx) => saveStep(tx, form, answers, done));
}

export type Decision = 'approved' | 'rejected' | null;

/** Submits the form: from now on there is an identity, and the review begins. Null if it was submitted before. */
export async function submit(services: Provider, form: FormRow, decision: Decision): Promise<string | null> {
  const { db, now } = services;
  const identityId = form.identityId ?? `ID${newVendorId()}`;
  const submitted = await db.transaction().execute(async (tx) => {
    const done = await submitForm(tx, form.id, {
      identityId,
      merchantId: form.merchantId ?? `MU${newVendorId()}`,
      bankLastFour: answersOf(form).account ?? null,
      submittedAt: now(),
      decision,
      decideAt: decision && new Date(now().getTime() + reviewMs),
    });
    if (done) {
      await addEvent(tx, services, form.id, 'onboarding_form.updated');
      await addEvent(tx, services, form.id, form.merchantId === null ? 'merchant.created' : 'merchant.updated');
    }
    return done;
  });
  return submitted ? identityId : null;
}

/** Ends the review of a form; false if it is not in review. */
export function decide(services: Provider, formId: string, decision: Review): Promise<boolean> {
  return services.db.transaction().execute(async (tx) => {
    const decided = await decideForm(tx, formId, decision, services.now());
    if (decided) await addEvent(tx, services, formId, 'merchant.updated');
    return decided;
  });
}

/** Ends the reviews that are due. */
export async function decideDueForms(services: Provider): Promise<void> {
  for (const { id, decision } of await formsToDecide(services.db, services.now()))
    if (decision) await decide(services, id, decision);
}

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const newVendorId = () => Array.from({ length: 22 }, () => letters[randomInt(letters.length)]).join('');
