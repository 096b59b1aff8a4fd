import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extensionOf, urls } from '#questionnaire/extensions.ts';
import { rootSignature } from '#questionnaire/form.ts';
import { overwrittenKey } from '#questionnaire/overwritten.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import type { Services } from '#server/context.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import {
  findDefinition,
  insertBuiltInForm,
  insertOwnForm,
  lockOwnForm,
  newestBuiltInForm,
  newestOwnForm,
  putBackInUse,
  type Definition,
} from './definition-sql.ts';
import { toNewDefinition, type NewDefinition } from './new-definition.ts';

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
  const newest = await newestBuiltInForm(db, type);
  if (newest?.sha256 === sha256) return { version: newest.version, isNew: false };
  const version = (newest?.version ?? 0) + 1;
  const form = { id: id(), type, version, name: JSON.stringify(name), questionnaire, sha256, createdAt: now() };
  return { version, isNew: await insertBuiltInForm(db, form) };
}

/** Stores the next version of an office's own form, unless its newest version is the same questionnaire. */
export async function addOwnForm(
  tx: Tx,
  { officeId, id, at, by }: { officeId: string; id: string; at: Date; by: string | null },
  definition: NewDefinition,
): Promise<{ id: string; version: number; isNew: boolean }> {
  const { type, name, questionnaire, sha256 } = definition;
  await lockOwnForm(tx, officeId, type);
  const newest = await newestOwnForm(tx, officeId, type);
  const version = await nextVersion(tx, officeId, definition);
  if (newest?.version === version)
    return { id: newest.id, version, isNew: await putBackInUse(tx, officeId, newest.id) };
  const named = { officeId, id, type, version, name: JSON.stringify(name) };
  await insertOwnForm(tx, { ...named, questionnaire, sha256, createdAt: at, createdBy: by });
  return { id, version, isNew: true };
}

/** The version that an own form has or would get. */
export async function nextVersion(tx: Tx, officeId: string, { type, sha256 }: NewDefinition): Promise<number> {
  const newest = await newestOwnForm(tx, officeId, type);
  if (newest?.sha256 === sha256) return newest.version;
  const builtIn = await newestBuiltInForm(tx, type);
  return Math.max(newest?.version ?? 0, builtIn?.version ?? 0) + 1;
}

const definitionsById = new Map<string, Definition>();

/** One definition, built in or the office's own. A version never changes, so it is cached. */
export async function readDefinition(tx: Tx, officeId: string, id: string): Promise<Definition | undefined> {
  const key = `${officeId} ${id}`;
  const known = definitionsById.get(key) ?? definitionsById.get(id);
  if (known) return known;
  const definition = await findDefinition(tx, officeId, id);
  if (!definition) return undefined;
  if (definitionsById.size > 300) definitionsById.clear();
  definitionsById.set(definition.own ? key : id, definition);
  return definition;
}

const linkIdsByDefinition = new WeakMap<Definition, ReadonlySet<string>>();

/** The names under which a draft may have answers: all linkIds of a questionnaire, and the mark of overwritten calculations. Collected without `formOf`, which may take long. */
export function linkIdsOf(definition: Definition): ReadonlySet<string> {
  const known = linkIdsByDefinition.get(definition);
  if (known) return known;
  const { questionnaire } = definition;
  const linkIds = new Set([overwrittenKey]);
  if (extensionOf(questionnaire, urls.signatureRequired)) linkIds.add(rootSignature);
  const left = [...(questionnaire.item ?? [])];
  for (let item = left.pop(); item; item = left.pop()) {
    linkIds.add(item.linkId);
    left.push(...(item.item ?? []));
  }
  linkIdsByDefinition.set(definition, linkIds);
  return linkIds;
}
