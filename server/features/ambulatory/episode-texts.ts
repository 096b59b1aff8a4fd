import { episodeLinkDays } from '#contract/ambulatory/episode.ts';
import type { SurveyType } from '#contract/ambulatory/shapes.ts';
import type { Language } from '#contract/shapes.ts';
import type { OfficeScope } from '#server/context.ts';
import {
  linkPlaceholder,
  messageStatement,
  moveText,
  noteTextOutcomes,
  textStatements,
} from '#server/features/texting/index.ts';
import { hashToken, newToken } from '#server/kit/crypto/secret.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { directoryStatement } from '#server/kit/db/office-directory.ts';
import { runTogether } from '#server/kit/db/statements.ts';
import { officeRow } from '#server/office-row.ts';
import { linkStatement, setEpisode, unsentTextsOf, type EpisodeRow } from './episode-sql.ts';

export type EpisodeText = 'invite' | SurveyType | 'reminder';

type Sentence = (office: string, link: string) => string;

/** They contain no patient's name and no reason for the treatment: texts are not secure. */
const textTemplates = {
  invite: {
    en: (office, link) => `${office}: may we check on you over the next days? Please open this link: ${link}`,
    es: (office, link) => `${office}: ¿podemos saber cómo sigue en los próximos días? Abra este enlace: ${link}`,
  },
  'ambu-survey-day': {
    en: (office, link) => `${office}: how are you today? Your survey takes two minutes: ${link}`,
    es: (office, link) => `${office}: ¿cómo está hoy? Su encuesta toma dos minutos: ${link}`,
  },
  'ambu-satisfaction': {
    en: (office, link) => `${office}: how did we do? This is our last survey, thank you: ${link}`,
    es: (office, link) => `${office}: ¿cómo lo hicimos? Esta es nuestra última encuesta, gracias: ${link}`,
  },
  reminder: {
    en: (office, link) => `${office}: a reminder to answer today's survey, please: ${link}`,
    es: (office, link) => `${office}: un recordatorio para responder la encuesta de hoy, por favor: ${link}`,
  },
} as const satisfies Record<EpisodeText, Record<Language, Sentence>>;

/** Saves the link of a text. Only the token's hash is stored. */
function newLinkStatements(
  tx: Tx,
  scope: OfficeScope,
  { episodeId, textId, token }: { episodeId: string; textId: string; token: string },
) {
  const { officeId } = scope;
  const tokenHash = hashToken(token);
  const createdAt = scope.now();
  const expiresAt = new Date(createdAt.getTime() + episodeLinkDays * 86_400_000);
  const link = linkStatement(tx, { officeId, id: scope.id(), episodeId, textId, tokenHash, createdAt, expiresAt });
  return [link, directoryStatement(tx, { officeId, kind: 'episode_link', key: tokenHash, expiresAt })];
}

/**
 * Writes a text with a new link to the ledger, shows it in the conversation, and makes it the episode's newest. Throws a refusal if a limit
 * does not allow it.
 */
export async function textEpisode(
  tx: Tx,
  scope: OfficeScope,
  episode: Pick<EpisodeRow, 'officeId' | 'id' | 'patientId' | 'phone' | 'language'>,
  { sentence, sendAt = null }: { sentence: EpisodeText; sendAt?: Date | null },
): Promise<string> {
  const { name } = await officeRow(tx, scope.officeId);
  const { phone, patientId } = episode;
  const body = textTemplates[sentence][episode.language](name, linkPlaceholder);
  const token = newToken();
  const text = await textStatements(tx, scope, {
    kind: 'link',
    visitId: null,
    patientId,
    toPhone: phone,
    body,
    daytimeOnly: sentence !== 'invite',
    link: `${scope.env.publicUrl}/episode/${token}`,
    ...(sendAt && { sendAt }),
  });
  const message = messageStatement(tx, scope, { phone, visitId: null, sender: 'bot', kind: 'link', body, text });
  await runTogether(tx, text, {
    statements: newLinkStatements(tx, scope, { episodeId: episode.id, textId: text.id, token }),
    last: [message],
    hints: [{ office: scope.officeId, type: 'messages' }],
  });
  await setEpisode(tx, episode, { textId: text.id });
  return text.id;
}

/** Cancels the texts about an episode that were not sent yet. */
export async function cancelEpisodeTexts(tx: Tx, episode: Pick<EpisodeRow, 'officeId' | 'id'>): Promise<void> {
  const { officeId } = episode;
  const ids = await unsentTextsOf(tx, episode);
  for (const id of ids) await moveText(tx, { officeId, id }, 'cancel');
  await noteTextOutcomes(tx, officeId, ids, false);
}

/** Ends an episode; its texts that were not sent yet are canceled. */
export async function endEpisode(
  tx: Tx,
  episode: EpisodeRow,
  endedBy: NonNullable<EpisodeRow['endedBy']>,
): Promise<void> {
  await cancelEpisodeTexts(tx, episode);
  await setEpisode(tx, episode, { state: 'ended', endedBy, nextAt: null });
}
