import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The texts of a catalog in the language of its file: English is the message itself, Spanish its translation. */
function textsOf(path: string): string[] {
  const key = path.endsWith('en.po') ? 'msgid' : 'msgstr';
  return [...readFileSync(path, 'utf8').matchAll(new RegExp(`^${key} "(.+)"$`, 'gm'))].map(([, text = '']) => text);
}

type Language = 'en' | 'es';

const catalogs = (language: Language) => globSync(`web/**/locales/${language}.po`);

/** The texts that code has in both languages beside each other: refusals, problems of an answer, texts to a phone. */
function textsInCode(path: string, language: Language): string[] {
  const texts = readFileSync(path, 'utf8').matchAll(/\b(en|es):\s*(['"`])((?:\\.|(?!\2)[^\\])*)\2/g);
  return [...texts].filter(([, of]) => of === language).map(([, , , text = '']) => text);
}

const textKeys = ['text', 'title', 'display', 'description', 'valueString', 'valueMarkdown'];

/** The texts of a FHIR questionnaire: English where they stand, Spanish in their translations. */
function textsOfForm(node: unknown, language: Language): string[] {
  if (Array.isArray(node)) return node.flatMap((one) => textsOfForm(one, language));
  if (node === null || typeof node !== 'object') return [];
  const { url, extension } = node as { url?: string; extension?: { url: string }[] };
  if (url?.endsWith('/translation')) {
    const part = (name: string) => Object.values({ ...extension?.find((one) => one.url === name), url: '' }).join('');
    return part('lang') === language ? [part('content')] : [];
  }
  return Object.entries(node).flatMap(([key, value]) => {
    if (typeof value !== 'string') return textsOfForm(value, language);
    return language === 'en' && textKeys.includes(key) ? [value] : [];
  });
}

const sourceFiles = globSync('{contract,questionnaire,server}/**/*.ts').filter((path) => !path.includes('.test.'));
const forms = globSync('db/seed/forms/*.json');

/** Everything a person reads, with the file it is in. */
const everyText = (language: Language): { path: string; text: string }[] => [
  ...catalogs(language).flatMap((path) => textsOf(path).map((text) => ({ path, text }))),
  ...sourceFiles.flatMap((path) => textsInCode(path, language).map((text) => ({ path, text }))),
  ...forms.flatMap((path) =>
    textsOfForm(JSON.parse(readFileSync(path, 'utf8')), language).map((text) => ({ path, text })),
  ),
];

/** Sentences that a review by a native speaker found foreign, and the patterns behind them. The specification's own texts are not among them. */
const english = [
  /Nothing leaves this machine/,
  /Ask for it\b|^Asked$|^Ask again$/,
  /Your own words/,
  /Their forms, messages and next step appear/,
  /of the household/,
  /asked for no more texts/,
  /^Left open on/,
  /^The day is over/,
  /Times are the office/,
  /Find or do anything/,
  /^This help$|Keys with Ctrl stay/,
  /something is missing before you come in|Fill it in here/,
  /We call you in here/,
  /Who else is being seen/,
  /front desk knows that/,
  /Leave the line\?|You left the line/,
  /the practice has it/i,
  /^Half done$/,
  /Please check your answers/,
  /signature is kept/i,
  /Who holds the insurance|the person the insurance is in the name of/,
  /Who is this to the patient/,
  /Side with the photo/,
  /Choose a picture instead|Take it again/,
  /^Make the link$|^Take back$|^For whom\?$|How long should it work/,
  /shown only now/,
  /Not asked for now|^End the link$|Works until/,
  /take one off/,
  /Who saw or changed what about/,
  /^Is it (?:settled|sorted out) that|pay \{money\} more|is the most\. Shorten|from your visit of|as other software gets them|texts its own words/i,
  /Looked at with whom|looked at$|Read this record/i,
  /behind the scenes/,
  /After so many minutes/,
  /neither asked for nor missed/,
  /As this computer is set|Rows of the queue/,
  /A note on your screen|may show notes/,
  /that does not say its name|a token of yours/,
  /Confirm it is you to go on/,
  /^It works again in/,
  /There is no such/,
  /It follows from the/,
  /What you typed is kept\. You can go on/,
  /is made out to|these are its words|^I do not want to sign$/,
  /as soon as there is one/,
  /until there is a connection/,
  /Nothing fits/,
  /want no more/,
  /^What patients filed/,
  /does not answer right now/,
  /promise nothing/,
  /\b(is|are|was|were) told\b|\bis none\b|\bof now\b|\bis had\b/i,
  /\bhouse\b/i,
];

/** Words that leave the formal address, and names of which one is used. */
const spanish = [
  /\b(tu|tus|tú|contigo|puedes|tienes|quieres|debes)\b/i,
  /Invitado otra vez/,
  /\b(computador|ordenador|móvil)\b/i,
  /\bborrón\b|\bclic aquí\b/i,
];

test.each([
  ['en', english],
  ['es', spanish],
] as const)('no text (%s) has a phrase that was reworded', (language, banned) => {
  const found = everyText(language)
    .filter(({ text }) => banned.some((pattern) => pattern.test(text)))
    .map(({ path, text }) => `${path}: ${text}`);
  expect(found).toEqual([]);
});

test.each(['en', 'es'] as const)('the check (%s) reads catalogs, code and forms', (language) => {
  const isRead = (folder: string) => everyText(language).filter(({ path }) => path.startsWith(folder)).length > 20;
  expect(catalogs(language).length).toBeGreaterThan(8);
  for (const folder of [
    'web/',
    'contract/refusals/',
    'questionnaire/checking/',
    'questionnaire/loading/',
    'server/',
    'db/seed/forms/',
  ])
    expect([folder, isRead(folder)]).toEqual([folder, true]);
});

test('the check finds a phrase in both languages', () => {
  expect(english.some((pattern) => pattern.test('The front desk is told.'))).toBe(true);
  expect(spanish.some((pattern) => pattern.test('Puedes cerrar esta página.'))).toBe(true);
});
