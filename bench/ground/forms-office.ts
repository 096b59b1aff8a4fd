import { sql } from 'kysely';
import { addOffice, addStaff } from '#server/features/office/index.ts';
import { asOffice } from '#server/kit/db/db.ts';
import type { BenchDatabase } from './open-ground.ts';

export interface FormsOffice {
  officeId: string;
  npi: string;
  token: string;
  headers: Record<string, string>;
}

/** An office for the benchmark, with a signed-in member. */
export async function formsOffice(ground: BenchDatabase): Promise<FormsOffice> {
  const npi = '2100000005';
  const officeId = await addOffice(ground.owner, ground.services, {
    npi,
    name: 'Maple Street Pediatrics',
    addressLine1: '48 Maple Street',
    city: 'Brooklyn',
    state: 'NY',
    zip: '11201',
    timeZone: 'UTC',
    email: 'bench@maple.test',
    emr: 'N/A',
    textNumber: '+12125550150',
    agreementSignedAt: new Date(0),
  });
  const personId = await addStaff(ground.owner, ground.services, { name: 'Bench', email: 'bench@maple.test' }, [
    officeId,
  ]);
  const token = await ground.session(personId);
  return { officeId, npi, token, headers: { authorization: `Bearer ${token}`, 'x-office': officeId } };
}

/** Past submissions, five per visit, spread evenly over two years; a fifth of the names begin with "Mar". */
export async function pastSubmissions(
  ground: BenchDatabase,
  { officeId, npi }: FormsOffice,
  count: number,
): Promise<void> {
  const visits = Math.ceil(count / 5);
  await asOffice(ground.owner, officeId, async (tx) => {
    await sql`
      insert into patient (office_id, id, user_code, phone, first_name, last_name, created_at)
      values (${officeId}, gen_random_uuid(), 'bench-patient', '+12125550199', 'Ada', 'Byron', now())`.execute(tx);
    await sql`
      insert into visit (office_id, id, patient_id, day, status, phone, first_name, last_name, created_at, arrived_at, status_at)
      select ${officeId}, gen_random_uuid(), p.id, (now() - n * interval '50 minutes')::date, 'PATIENT_DONE', '+12125550199',
        (array['Maria', 'James', 'Wei', 'Fatima', 'José'])[1 + n % 5], 'Number' || n, now() - n * interval '50 minutes',
        now() - n * interval '50 minutes', now() - n * interval '50 minutes'
      from patient p, generate_series(1, ${visits}::int) n where p.office_id = ${officeId}`.execute(tx);
    await sql`
      insert into visit_member (office_id, id, visit_id, position, first_name, last_name)
      select office_id, gen_random_uuid(), id, 0, first_name, last_name from visit where office_id = ${officeId}`.execute(
      tx,
    );
    await sql`
      insert into form_submission (office_id, id, visit_id, member_id, definition_id, form_type, form_version, form_name, language, state,
        version, answers, patient_name, search_name, started_at, saved_at, completed_at, day, object_key, sha256, bytes)
      select v.office_id, gen_random_uuid(), v.id, m.id, gen_random_uuid(), 'form-' || f, 1, 'Form ' || f, 'en', 'submitted', 1,
        '{"resourceType": "QuestionnaireResponse", "status": "completed"}', v.first_name || ' ' || v.last_name,
        lower(translate(v.first_name, 'é', 'e') || ' ' || v.last_name), v.created_at, v.created_at, v.created_at, v.created_at::date,
        ${npi} || '/' || to_char(v.created_at, 'YYYY/MM/DD') || '/' || gen_random_uuid(), repeat('0', 64), 40000
      from visit v join visit_member m on m.office_id = v.office_id and m.visit_id = v.id, generate_series(1, 5) f
      where v.office_id = ${officeId}`.execute(tx);
    await sql`
      insert into form_day (office_id, id, version)
      select office_id, day, count(*) from form_submission where office_id = ${officeId} group by 1, 2`.execute(tx);
  });
  await sql`vacuum analyze form_submission`.execute(ground.owner);
}
