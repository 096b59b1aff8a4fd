import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { extensionOf, urls } from '#questionnaire/extensions.ts';
import { rootSignature } from '#questionnaire/form.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Services } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import { toNewDefinition, type NewDefinition } from './new-definition.ts';

export interface Definition {
  id: string;
  type: string;
  version: number;
  name: { en: string; es: string };
  questionnaire: Questionnaire;
  /** The office's own, not built in. */
  own: boolean;
}

/** The built-in questionnaires. */
function builtIn(): NewDefinition[] {
  const folder = join(projectRoot, 'db/seed/forms');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => toNewDefinition(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Questionnaire));
}

/** Runs at each start: stores a new or changed built-in questionnaire as the next version of its type. */
export async function loadBuiltInForms(services: Pick<Services, 'db' | 'id' | 'now'>): Promise<void> {
  for (const definition of builtIn()) await addBuiltInForm(services, definition);
}

/** Returns the stored version and whether it is new. Two processes that start at the same time store it once. */
export async function addBuiltInForm(
  { db, id, now }: Pick<Services, 'db' | 'id' | 'now'>,
  { type, name, questionnaire, sha256 }: NewDefinition,
): Promise<{ version: number; isNew: boolean }> {
  const newest = await db
    .selectFrom('builtInForm')
    .select(['version', 'sha256'])
    .where('type', '=', type)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (newest?.sha256 === sha256) return { version: newest.version, isNew: false };
  const version = (newest?.version ?? 0) + 1;
  const written = await db
    .insertInto('builtInForm')
    .values({
      id: id(),
      type,
      version,
      name: JSON.stringify(name),
      questionnaire,
      sha256,
      createdAt: now(),
    })
    .onConflict((conflict) => conflict.columns(['type', 'version']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return { version, isNew: written !== undefined };
}

/** Stores the next version of an office's own form, unless its newest version is the same questionnaire. */
export async function addOwnForm(
  tx: Tx,
  { officeId, id, at, by }: { officeId: string; id: string; at: Date; by: string | null },
  definition: NewDefinition,
): Promise<{ id: string; version: number; isNew: boolean }> {
  const { type, name, questionnaire, sha256 } = definition;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${officeId} ${type}`}, 7306096))`.execute(tx);
  const newest = await newestOwn(tx, officeId, type);
  const version = await nextVersion(tx, officeId, definition);
  if (newest?.version === version) {
    const back = await tx
      .updateTable('formDefinition')
      .set({ removedAt: null })
      .where('officeId', '=', officeId)
      .where('id', '=', newest.id)
      .where('removedAt', 'is not', null)
      .returning('id')
      .executeTakeFirst();
    return { id: newest.id, version, isNew: back !== undefined };
  }
  await tx
    .insertInto('formDefinition')
    .values({
      officeId,
      id,
      type,
      version,
      name: JSON.stringify(name),
      questionnaire,
      sha256,
      createdAt: at,
      createdBy: by,
    })
    .execute();
  return { id, version, isNew: true };
}

/** The version that an own form has or would get. */
export async function nextVersion(tx: Tx, officeId: string, { type, sha256 }: NewDefinition): Promise<number> {
  const newest = await newestOwn(tx, officeId, type);
  if (newest?.sha256 === sha256) return newest.version;
  const builtIn = await tx
    .selectFrom('builtInForm')
    .select((q) => q.fn.max('version').as('version'))
    .where('type', '=', type)
    .executeTakeFirst();
  return Math.max(newest?.version ?? 0, builtIn?.version ?? 0) + 1;
}

/** The newest version of an own form, even if it is not in use. */
function newestOwn(tx: Tx, officeId: string, type: string) {
  return tx
    .selectFrom('formDefinition')
    .select(['id', 'version', 'sha256'])
    .where('officeId', '=', officeId)
    .where('type', '=', type)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
}

const definitionsById = new Map<string, Definition>();

/** One definition, built in or the office's own. A version never changes, so it is cached. */
export async function readDefinition(tx: Tx, officeId: string, id: string): Promise<Definition | undefined> {
  const key = `${officeId} ${id}`;
  const known = definitionsById.get(key) ?? definitionsById.get(id);
  if (known) return known;
  const columns = ['id', 'type', 'version', 'name', 'questionnaire'] as const;
  const own = await tx
    .selectFrom('formDefinition')
    .select(columns)
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirst();
  const found = own ?? (await tx.selectFrom('builtInForm').select(columns).where('id', '=', id).executeTakeFirst());
  if (!found) return undefined;
  const definition = { ...found, own: own !== undefined } as unknown as Definition;
  if (definitionsById.size > 300) definitionsById.clear();
  definitionsById.set(own ? key : id, definition);
  return definition;
}

const linkIdsByDefinition = new WeakMap<Definition, ReadonlySet<string>>();

/** All linkIds of a questionnaire, collected without `formOf`, which may take long. */
export function linkIdsOf(definition: Definition): ReadonlySet<string> {
  const known = linkIdsByDefinition.get(definition);
  if (known) return known;
  const { questionnaire } = definition;
  const linkIds = new Set<string>();
  if (extensionOf(questionnaire, urls.signatureRequired)) linkIds.add(rootSignature);
  const left = [...(questionnaire.item ?? [])];
  for (let item = left.pop(); item; item = left.pop()) {
    linkIds.add(item.linkId);
    left.push(...(item.item ?? []));
  }
  linkIdsByDefinition.set(definition, linkIds);
  return linkIds;
}
