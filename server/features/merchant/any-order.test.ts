import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { merchant, team } from '#contract/index.ts';
import type { MerchantState } from '#contract/merchant.ts';
import { decide, decideDueForms } from '#server/providers/merchant/local-forms.ts';
import { sendMerchantCallback } from '#server/providers/merchant/local-callbacks.ts';
import { addressAnswers, merchantPost, pressForm, typedSteps } from '#testing/fixtures/merchant.ts';
import { propertySeed } from '#testing/fixtures/property-seed.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { resumeOperations } from '#server/kit/provider-operations/operations.ts';
import { checkDueApplications, merchantOperations } from './jobs.ts';

let t: TestApp;
beforeAll(async () => {
  t = await openTestApp();
  t.services.log.level = 'silent';
});
afterAll(() => t.close());

const decision = fc.constantFrom('approved' as const, 'rejected' as const, 'update-requested' as const);
/** What the people of a practice, the payment provider, the network and dying processes do. */
const step = fc.oneof(
  fc.record({ do: fc.constant('open' as const) }),
  fc.record({ do: fc.constant('begin' as const) }),
  fc.record({ do: fc.constant('fill' as const), steps: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constant('submit' as const), review: fc.constantFrom('approved', 'rejected', '') }),
  fc.record({ do: fc.constant('decide' as const), as: decision }),
  fc.record({ do: fc.constant('callbacks' as const), seed: fc.integer({ min: 1, max: 97 }) }),
  fc.record({ do: fc.constant('return' as const) }),
  fc.record({ do: fc.constant('job' as const), minutes: fc.constantFrom(1, 61) }),
  fc.record({ do: fc.constant('remove a colleague' as const) }),
  fc.record({ do: fc.constant('die opening' as const), moment: fc.constantFrom('before' as const, 'after' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A practice, and the last link to its form. */
interface Applicant {
  office: TestOffice;
  link: string | null;
}

test('whatever is clicked, called back and killed, in any order and twice, no application disagrees with the provider', async () => {
  const seed = propertySeed();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      const applicant: Applicant = { office: await t.office(), link: null };
      for (const next of steps) {
        await t.owner.deleteFrom('rateLimit').execute();
        await run(applicant, next);
        for (const { ours, theirs } of await booksOf(applicant)) expect(behind[theirs] ?? []).toContain(ours);
      }
      await callBack(applicant, 31);
      for (let i = 0; i < 4; i++) {
        t.later(25 * 60);
        await decideDueForms(t.services);
        await checkDueApplications(t.services);
      }
      await expectOneStory(applicant);
    }),
    { numRuns: 12, seed },
  );
}, 30_000);

/** What we may still believe while the provider is this far: never more than it says. */
const behind: Record<string, MerchantState[]> = {
  draft: ['draft'],
  open: ['draft', 'open'],
  processing: ['draft', 'open', 'processing', 'update-requested'],
  'update-requested': ['draft', 'open', 'processing', 'update-requested'],
  approved: ['draft', 'open', 'processing', 'update-requested', 'approved'],
  rejected: ['draft', 'open', 'processing', 'update-requested', 'rejected'],
};

async function run(applicant: Applicant, next: Step): Promise<void> {
  const { office, link } = applicant;
  switch (next.do) {
    case 'open': {
      const replies = await Promise.all([open(office), open(office)]);
      applicant.link = replies.find(({ status }) => status === 200)?.body.onboarding_link.link_url ?? link;
      return;
    }
    case 'begin': {
      const save = () => t.call(merchant.saveMerchantAnswers, { body: { addressAnswers } }, { as: office });
      await Promise.all([t.call(merchant.beginMerchantForm, {}, { as: office }), save(), save()]);
      return;
    }
    case 'fill':
      return fill(link, next.steps, 'approved');
    case 'submit':
      return fill(link, 5, next.review);
    case 'decide': {
      for (const { id } of await formsOf(office))
        await Promise.all([decide(t.services, id, next.as), decide(t.services, id, next.as)]);
      return;
    }
    case 'callbacks':
      return callBack(applicant, next.seed);
    case 'return': {
      const body = { strapi: office.id };
      const back = () => t.call(merchant.saveMerchantIdentity, { body }, { as: office });
      return void (await Promise.all([back(), back()]));
    }
    case 'job':
      t.later(next.minutes);
      await Promise.all([1, 2].map(() => resumeOperations(t.services, merchantOperations)));
      return void (await Promise.all([checkDueApplications(t.services), checkDueApplications(t.services)]));
    case 'remove a colleague': {
      const personId = await t.addStaff({ name: 'Luis', email: `${t.services.id()}@maple.test` }, [office]);
      await t.prove(office.personId);
      const { status } = await t.call(team.removeColleague, { params: { personId } }, { as: office });
      expect(status).toBe(200);
      return;
    }
    default:
      await dieOpening(office, next.moment);
      return void t.later(2);
  }
}

const open = (as: TestOffice) => t.call(merchant.openMerchantForms, {}, { as });

async function fill(link: string | null, count: number, review: string): Promise<void> {
  if (link === null) return;
  for (const [name, typed] of Object.entries(typedSteps).slice(0, count)) {
    const press = () => pressForm(t, link, name, { ...typed, ...(name === 'bank' && { review }) });
    await Promise.all([press(), press()]);
  }
}

/** The process that opens the form ends at the provider's call: its work stops there for ever. */
async function dieOpening(office: TestOffice, moment: 'before' | 'after'): Promise<void> {
  const { merchant: provider } = t.services.providers;
  const { createForm, createLink } = provider;
  const died = new Promise<void>((resolve) => {
    const dieIn =
      <Ask extends unknown[], Result>(call: (...ask: Ask) => Promise<Result>) =>
      async (...ask: Ask): Promise<Result> => {
        if (moment === 'after') await call(...ask).catch(() => undefined);
        resolve();
        return new Promise<never>(() => undefined);
      };
    provider.createForm = dieIn(createForm);
    provider.createLink = dieIn(createLink);
  });
  await Promise.race([open(office), died]);
  Object.assign(provider, { createForm, createLink });
}

const formsOf = ({ id }: TestOffice) =>
  t.owner.selectFrom('merchant.form').selectAll().where('reference', 'like', `${id}.%`).orderBy('createdAt').execute();

/** Every callback about the practice's forms so far, twice and in an order of its own. */
async function callBack({ office }: Applicant, seed: number): Promise<void> {
  const forms = await formsOf(office);
  const types = ['onboarding_form.created', 'onboarding_form.updated', 'merchant.created', 'merchant.updated'];
  const events = forms.flatMap(({ id: formId }) => types.map((type) => ({ id: t.services.id(), type, formId })));
  const shuffled = [...events, ...events]
    .map((event, i) => ({ event, at: ((i + 1) * seed) % 101 }))
    .sort((a, b) => a.at - b.at);
  const post = merchantPost(t);
  const statuses = await Promise.all(shuffled.map(({ event }) => sendMerchantCallback(t.services, post, event)));
  expect(statuses.every((status) => status === 200)).toBe(true);
}

const applicationsOf = (office: TestOffice) =>
  t.inOffice(office, (tx) =>
    tx.selectFrom('merchantApplication').selectAll().orderBy('begunAt').orderBy('id').execute(),
  );

/** Each application as we have it and as the provider has it. */
async function booksOf({ office }: Applicant) {
  const forms = await formsOf(office);
  return (await applicationsOf(office)).map((row) => {
    const form = forms.find(({ reference }) => reference === `${office.id}.${row.id}`);
    return { row, form, ours: row.state, theirs: form?.state ?? 'draft' };
  });
}

/** Once everything has arrived: each application has its form's state and identity, the office the latest's, and nothing happened twice. */
async function expectOneStory(applicant: Applicant): Promise<void> {
  const { office } = applicant;
  const books = await booksOf(applicant);
  for (const { row, form } of books)
    if (row.formId !== null)
      expect({ id: row.formId, state: row.state, identity: row.identityId, account: row.merchantId }).toEqual({
        id: form?.id,
        state: form?.state,
        identity: form?.identityId,
        account: form?.merchantId,
      });
  expect(books.filter(({ ours }) => ours !== 'rejected').length).toBeLessThanOrEqual(1);
  const latest = books.at(-1)?.row;
  const row = await t.inOffice(office, (tx) =>
    tx.selectFrom('office').select('finixIdentity').where('id', '=', office.id).executeTakeFirstOrThrow(),
  );
  expect(row.finixIdentity).toBe(latest === undefined || latest.state === 'rejected' ? null : latest.identityId);
  const done = (await t.auditEntries(office)).filter(({ outcome }) => outcome === 'done');
  const moves = done.map(({ action, subject }) => `${action} ${subject}`);
  for (const name of ['merchant.submit', 'merchant.approve', 'merchant.reject']) {
    const made = moves.filter((move) => move.startsWith(name));
    expect(made).toHaveLength(new Set(made).size);
  }
}
