import { runStories } from '#db/seed/play-stories.ts';
import { bigMorning } from '#db/seed/morning.ts';
import type { QuietHours } from '#contract/practice/message-settings.ts';
import { addOffice, addStaff, type NewOffice } from '#server/features/office/index.ts';
import type { BenchDatabase } from './open-ground.ts';

export interface BenchOffice {
  id: string;
  npi: string;
  personId: string;
  token: string;
}

/** One quiet minute that is hours away in every time zone of the United States and in UTC: a run at night must send, too. */
function distantQuietHours(): QuietHours {
  const hour = String((new Date().getUTCHours() + 12) % 24).padStart(2, '0');
  return { from: `${hour}:00`, until: `${hour}:01` };
}

/** `count` offices in UTC, each with one signed-in person and `visits` visits of this morning; `settings` name the forms that they ask for. */
export async function addOffices(
  ground: BenchDatabase,
  count: number,
  visits: number,
  settings: NewOffice['settings'] = {},
): Promise<BenchOffice[]> {
  const offices: BenchOffice[] = [];
  for (let i = 0; i < count; i++) {
    const npi = String(2_200_000_000 + i);
    const id = await addOffice(ground.owner, ground.services, {
      npi,
      name: `Office ${i}`,
      addressLine1: '1 Main Street',
      city: 'Springfield',
      state: 'IL',
      zip: '62701',
      timeZone: 'UTC',
      email: `office-${i}@bench.test`,
      emr: 'N/A',
      textNumber: `+1312555${String(i).padStart(4, '0')}`,
      agreementSignedAt: new Date(0),
      settings,
    });
    const messageSettings = JSON.stringify({ quietHours: distantQuietHours() });
    await ground.owner.updateTable('office').set({ messageSettings }).where('id', '=', id).execute();
    const personId = await addStaff(ground.owner, ground.services, { name: 'Bench', email: `staff-${i}@bench.test` }, [
      id,
    ]);
    if (visits > 0) {
      await runStories(ground.services, id, 'UTC', bigMorning(visits), {
        phoneFrom: 0,
        desk: { kind: 'staff', id: personId, name: 'Bench' },
      });
    }
    offices.push({ id, npi, personId, token: await ground.session(personId) });
  }
  return offices;
}
