import { sql } from 'kysely';
import type { Actor, Services } from '#server/context.ts';
import { loadSample } from '#server/features/addresses/index.ts';
import { forgetHeads } from '#server/features/audit/index.ts';
import { addOffice, addStaff } from '#server/features/office/index.ts';
import { dayOf, instantOf } from '#server/kit/day.ts';
import { asOffice, openDb, openOwnerPool, type Db } from '#server/kit/db/db.ts';
import { removeFromDirectory } from '#server/kit/db/office-directory.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { officeRow } from '#server/office-row.ts';
import { signDemoAgreement } from './agreement.ts';
import { seedCopays } from './copays.ts';
import { demoAddresses } from './addresses.ts';
import { fillForms, harborForms, mapleForms } from './filled-forms.ts';
import { seedEndingTrial, seedPrimePlan } from './membership.ts';
import { approveDemoMerchant } from './merchant.ts';
import { bigMorning, harborMorning, mapleMorning, quietMorning } from './morning.ts';
import { demoOffices } from './offices.ts';
import { fillOutbox } from './outbox.ts';
import { demoPhone, runStories } from './play-stories.ts';
import { playThreads } from './play-threads.ts';
import { fileRecoveries, playRecoveries } from './play-recoveries.ts';
import { addWebsiteChats } from './website-chats.ts';

/** Creates missing demo offices, and a morning for each day that has none yet. */
export async function seedDemo(
  services: Services,
  ownerUrl: string,
  { bigQueue }: { bigQueue: boolean },
): Promise<void> {
  const addresses = loadSample(ownerUrl, demoAddresses);
  await oneAtATime(services, async () => {
    await withOwner(ownerUrl, (owner) => addDemoOffices(owner, services));
    await approveMaple(services);
    await seedDay(services, bigQueue);
    await seedMemberships(services);
  });
  await addresses;
}

/** Seeds each new day and creates the PDFs of agreements and forms, which would delay the start. Stop it before the database closes. */
export function keepDemoAlive(services: Services): Job {
  const job = runJob('demo-day', 60_000, services.log, () => continueDemo(services));
  let timer: NodeJS.Timeout | undefined;
  // Otherwise the queue would be empty for up to a minute after midnight.
  const wakeAtMidnight = () => {
    timer = setTimeout(() => {
      job.wake();
      wakeAtMidnight();
    }, msToNextDay(services.now())).unref();
  };
  wakeAtMidnight();
  return {
    wake: job.wake,
    stop() {
      clearTimeout(timer);
      return job.stop();
    },
  };
}

/** How long until the next demo office begins a new day, and a second more. */
export function msToNextDay(now: Date): number {
  const midnights = demoOffices.map(({ office: { timeZone } }) =>
    instantOf(dayOf(now, timeZone), '24:00', timeZone).getTime(),
  );
  return Math.min(...midnights) - now.getTime() + 1_000;
}

/** One round of that; true if more forms are left to fill. */
export async function continueDemo(services: Services): Promise<boolean> {
  let more = false;
  await oneAtATime(services, async () => {
    await seedDay(services, false);
    await signAgreements(services);
    await seedMemberships(services);
    await seedSummit(services);
    more = await fillSomeForms(services);
  });
  return more;
}

/** One visit at a time, because the PDFs of a morning take a while. */
async function fillSomeForms(services: Services): Promise<boolean> {
  let more = false;
  for (const [i, filled] of [mapleForms, harborForms].entries()) {
    const office = demoOffices[i]?.office;
    const officeId = office && (await officeIdOf(services.db, office.npi));
    if (officeId && (await fillForms(services, officeId, office.timeZone, filled))) more = true;
  }
  return more;
}

/** Summit's patients after surgery, and their surveys. */
async function seedSummit(services: Services): Promise<void> {
  const summit = demoOffices[3]?.office;
  const officeId = await officeIdOf(services.db, summit?.npi ?? '');
  if (!summit || !officeId) return;
  await playRecoveries(services, { ...summit, officeId, desk: await deskOf(services.db, officeId) });
  await fileRecoveries(services, officeId);
}

/** Maple is on Prime, and Harbor's trial is about to end. */
async function seedMemberships(services: Services): Promise<void> {
  for (const [i, seed] of [seedPrimePlan, seedEndingTrial].entries()) {
    const officeId = await officeIdOf(services.db, demoOffices[i]?.office.npi ?? '');
    if (officeId) await seed(services, officeId, await deskOf(services.db, officeId));
  }
}

async function signAgreements(services: Services): Promise<void> {
  for (const { office, staff } of demoOffices) {
    const officeId = await officeIdOf(services.db, office.npi);
    if (!officeId) continue;
    const row = await asOffice(services.db, officeId, (tx) => officeRow(tx, officeId));
    if (!row.agreementSignedAt) continue;
    const person = await deskOf(services.db, row.id);
    const email = staff[0]?.email ?? '';
    await signDemoAgreement(services, row.id, { person, email });
  }
}

/** The first demo office takes card payments. */
async function approveMaple(services: Services): Promise<void> {
  const officeId = await officeIdOf(services.db, demoOffices[0]?.office.npi ?? '');
  if (officeId) await approveDemoMerchant(services, officeId, await deskOf(services.db, officeId));
}

/** Two processes that start at once, or at the same midnight, seed one after the other: the second finds everything there. */
async function oneAtATime({ pool }: Services, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(7306095)');
    await work();
  } finally {
    await client.query('commit').catch(() => undefined);
    client.release();
  }
}

/** Removes the demo offices and all their data; leaves real offices on the same database alone. */
export async function clearDemo(ownerUrl: string, dataDir: string): Promise<void> {
  await withOwner(ownerUrl, async (owner) => {
    for (const { office, staff } of demoOffices) {
      const found = await officeIdOf(owner, office.npi);
      if (found) {
        await asOffice(owner, found, async (tx) => {
          await tx.deleteFrom('office').where('id', '=', found).execute();
          await tx.deleteFrom('auth.officeDirectory').where('officeId', '=', found).execute();
        });
        await owner.deleteFrom('auth.npiClaim').where('officeId', '=', found).execute();
        await owner.updateTable('auth.registration').set({ officeId: null }).where('officeId', '=', found).execute();
        await owner.deleteFrom('charges.transfer').where('reference', 'like', `${found}.%`).execute();
        await owner.deleteFrom('practiceSoftware.patient').where('practice', '=', office.npi).execute();
        await owner.deleteFrom('card.customer').where('reference', '=', found).execute();
        await owner.deleteFrom('esign.request').where('reference', 'like', `${found}.%`).execute();
        await owner.deleteFrom('merchant.form').where('reference', 'like', `${found}.%`).execute();
        await forgetHeads(dataDir, found);
      }
      const values = staff.flatMap(({ email, phone }) => [email, phone]).filter((value) => value !== undefined);
      await owner.deleteFrom('auth.failedCode').where('identifier', 'in', values).execute();
      for (const { personId } of await owner
        .selectFrom('auth.identity')
        .select('personId')
        .distinct()
        .where('value', 'in', values)
        .execute())
        await removePerson(owner, personId);
    }
    await owner.deleteFrom('dev.outbox').execute();
    // A reset demo starts anew, so limits used up while trying it are cleared.
    await owner.deleteFrom('rateLimit').execute();
  });
}

/** Removes a person with their memberships and push subscriptions; no foreign key of an office's table refers to a person. */
async function removePerson(owner: Db, personId: string): Promise<void> {
  const { rows: offices } = await sql<{ id: string }>`select id from door_offices_of(${personId})`.execute(owner);
  for (const { id: officeId } of offices)
    await asOffice(owner, officeId, async (tx) => {
      for (const table of ['pushSubscription', 'membership'] as const)
        await tx.deleteFrom(table).where('officeId', '=', officeId).where('personId', '=', personId).execute();
      await removeFromDirectory(tx, { officeId, kind: 'person', key: personId });
    });
  await owner.deleteFrom('auth.person').where('id', '=', personId).execute();
}

async function withOwner<T>(url: string, work: (owner: Db) => Promise<T>): Promise<T> {
  const owner = openDb(openOwnerPool(url));
  try {
    return await work(owner);
  } finally {
    await owner.destroy();
  }
}

async function addDemoOffices(owner: Db, services: Services): Promise<void> {
  for (const { office, staff } of demoOffices) {
    const agreementSignedAt = new Date(services.now().getTime() - 90 * 86_400_000);
    // As if it had chosen its entry in the demo's address search.
    const newOffice = { ...office, addressId: office.npi, agreementSignedAt };
    const officeId = (await officeIdOf(owner, office.npi)) ?? (await addOffice(owner, services, newOffice));
    for (const person of staff)
      if (!(await isKnown(owner, person.email))) await addStaff(owner, services, person, [officeId]);
  }
}

/** The next start finishes an interrupted one. */
async function isKnown(owner: Db, email: string | undefined): Promise<boolean> {
  const found = await owner
    .selectFrom('auth.identity')
    .select('id')
    .where('value', '=', email ?? '')
    .executeTakeFirst();
  return found !== undefined;
}

async function officeIdOf(db: Db, npi: string): Promise<string | null> {
  const row = await db
    .selectNoFrom((q) => q.fn<string | null>('door_office_by_npi', [q.val(npi)]).as('id'))
    .executeTakeFirstOrThrow();
  return row.id;
}

async function seedDay(services: Services, bigQueue: boolean): Promise<void> {
  for (const { office } of demoOffices) {
    const officeId = await officeIdOf(services.db, office.npi);
    if (!officeId) continue;
    const isMaple = office.npi === demoOffices[0]?.office.npi;
    const morning = isMaple ? mapleMorning : office === demoOffices[1]?.office ? harborMorning : quietMorning;
    const day = dayOf(services.now(), office.timeZone);
    const { visits, hasMorning } = await visitsOfDay(services.db, officeId, day);
    const desk = await deskOf(services.db, officeId);
    if (!hasMorning) {
      await runStories(services, officeId, office.timeZone, morning, { phoneFrom: 0, desk });
      await playThreads(services, { officeId, npi: office.npi, desk });
      if (isMaple) await addWebsiteChats(services, { officeId, timeZone: office.timeZone, desk });
      if (isMaple) await seedCopays(services, { officeId, npi: office.npi, day, desk });
      if (office.settings?.adminPanelType === 'sms') await fillOutbox(services, officeId, desk);
    }
    if (isMaple && bigQueue && visits < 500)
      await runStories(services, officeId, office.timeZone, bigMorning(485), {
        phoneFrom: 100,
        desk,
      });
  }
}

/** How many visits a day has, and whether its morning is among them: somebody may have checked in before it was seeded. */
async function visitsOfDay(db: Db, officeId: string, day: string): Promise<{ visits: number; hasMorning: boolean }> {
  const phones = await asOffice(db, officeId, (tx) =>
    tx.selectFrom('visit').select('phone').where('officeId', '=', officeId).where('day', '=', day).execute(),
  );
  return { visits: phones.length, hasMorning: phones.some(({ phone }) => phone === demoPhone(0)) };
}

/** The actor of the demo's staff moves: the office's first member. */
async function deskOf(db: Db, officeId: string): Promise<Actor> {
  const person = await asOffice(db, officeId, (tx) =>
    tx
      .selectFrom('membership as m')
      .innerJoin('auth.person as p', 'p.id', 'm.personId')
      .select(['p.id', 'p.name'])
      .where('m.officeId', '=', officeId)
      .orderBy('m.createdAt')
      .orderBy('m.id')
      .executeTakeFirstOrThrow(),
  );
  return { kind: 'staff', ...person };
}
