import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { formOf } from '#questionnaire/form.ts';
import { findingMessage } from '#questionnaire/loading/finding-messages.ts';
import type { Finding } from '#questionnaire/loading/findings.ts';
import type { Questionnaire } from '#questionnaire/questionnaire.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { UsageError } from '#server/kit/command.ts';
import { checkFormInWorker } from './form-work.ts';

/** What the author of a questionnaire should know about one place in it. */
export interface FileFinding extends Omit<Finding, 'severity' | 'detail' | 'itemText'> {
  message: string;
  /** The item's text. Other programs read it under this name, as in the API. */
  words?: string;
  /** The name that an expression uses and nothing defines, as `%patient`. */
  name?: string;
}

/** One questionnaire in a file, and what Anteroom can do with it. */
export interface CheckedFile {
  /** Its path; in a bundle of several followed by `#` and its id. */
  file: string;
  usable: boolean;
  /** How many questions it asks, and how many of them are calculated; null if it cannot be used. */
  size: { title: string; questions: number; calculated: number } | null;
  errors: FileFinding[];
  warnings: FileFinding[];
}

/** A questionnaire before it is checked. */
interface FoundText {
  file: string;
  text: string;
}

/** Checks every questionnaire in these files and folders, one after the other. */
export async function* checkFiles(
  paths: readonly string[],
  checkForm = checkFormInWorker,
): AsyncGenerator<CheckedFile> {
  for (const path of paths) for await (const found of questionnairesAt(path)) yield checkText(found, checkForm);
}

async function checkText({ file, text }: FoundText, checkForm: typeof checkFormInWorker): Promise<CheckedFile> {
  const { findings, definition } = await checkForm(text, 'operator').catch((error: unknown) => {
    // “We are very busy” is a sentence for phones; an operator needs the cause.
    if (error instanceof Refusal && error.code === 'overloaded')
      throw new Error(`${file} was not checked, because the processes that check questionnaires have ended.`);
    throw error;
  });
  const of = (severity: Finding['severity']) =>
    findings.filter((finding) => finding.severity === severity).map((finding) => toFileFinding(finding));
  return {
    file,
    usable: definition !== null,
    size: definition && sizeOf(JSON.parse(definition.questionnaire) as Questionnaire, definition.name.en),
    errors: of('error'),
    warnings: of('warning'),
  };
}

function toFileFinding({ severity: _, detail, itemText, ...finding }: Finding): FileFinding {
  const message = findingMessage({ severity: _, ...finding, ...(detail !== undefined && { detail }) }, 'en');
  const isAboutName = finding.code === 'name_not_defined' || finding.code === 'context_not_known';
  const name = isAboutName ? detail : undefined;
  return {
    ...finding,
    message,
    ...(itemText !== undefined && { words: itemText }),
    ...(name !== undefined && { name }),
  };
}

function sizeOf(questionnaire: Questionnaire, title: string) {
  const questions = formOf(questionnaire).all.filter(({ isQuestion }) => isQuestion);
  const calculated = questions.filter((item) => item.calculated !== undefined).length;
  return { title, questions: questions.length, calculated };
}

async function* questionnairesAt(path: string): AsyncGenerator<FoundText> {
  const about = await stat(path).catch(() => {
    throw new UsageError(`"${path}" could not be read.`);
  });
  if (!about.isDirectory()) yield* questionnairesIn(path, await readFile(path, 'utf8'));
  else for await (const file of jsonFilesIn(path)) yield* await questionnairesOfFolderFile(file);
}

/** The JSON files in a folder and in those below it, in the order of their names. Packages and hidden folders are left out. */
async function* jsonFilesIn(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') yield* jsonFilesIn(path);
    else if (entry.isFile() && entry.name.toLowerCase().endsWith('.json')) yield path;
  }
}

/** A folder may hold anything: what says of itself that it is no questionnaire is left out. Broken JSON is judged, because it may be one. */
async function questionnairesOfFolderFile(file: string): Promise<FoundText[]> {
  const text = await readFile(file, 'utf8');
  if (!/"resourceType"\s*:\s*"Questionnaire"/.test(text)) return [];
  const json = parseJson(text);
  const { resourceType } = (json ?? {}) as { resourceType?: unknown };
  if (json !== undefined && resourceType !== 'Questionnaire' && resourceType !== 'Bundle') return [];
  return questionnairesIn(file, text);
}

/** The questionnaires of a file. Each of a bundle gets the bundle's other resources, such as value sets. */
function questionnairesIn(file: string, text: string): FoundText[] {
  const json = parseJson(text) as { resourceType?: unknown; entry?: unknown } | null | undefined;
  const entries = json?.resourceType === 'Bundle' && Array.isArray(json.entry) ? (json.entry as unknown[]) : [];
  const questionnaires = entries.filter((entry) => resourceOf(entry).resourceType === 'Questionnaire');
  if (questionnaires.length < 2) return [{ file, text }];
  const others = entries.filter((entry) => !questionnaires.includes(entry));
  return questionnaires.map((entry, i) => {
    const { id } = resourceOf(entry);
    const name = typeof id === 'string' ? id : String(i + 1);
    return { file: `${file}#${name}`, text: JSON.stringify({ ...json, entry: [entry, ...others] }) };
  });
}

function resourceOf(entry: unknown): { resourceType?: unknown; id?: unknown } {
  const { resource } = (entry ?? {}) as { resource?: unknown };
  return (resource ?? {}) as { resourceType?: unknown; id?: unknown };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
