import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WidgetBoot } from '#contract/website-chat.ts';
import type { Services } from '#server/context.ts';
import { contextFor } from '#server/kit/http/request-context.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { chatSettingsOf, officeRow } from '#server/office-row.ts';
import { chatFrontOf, chatOfNpi } from './chat-front.ts';

export interface WidgetPage {
  status: number;
  /** Null: the page embeds nothing and calls the API itself. */
  boot: WidgetBoot | null;
  /** The websites that may show the page in a frame, besides our own pages. */
  origins: readonly string[] | 'any';
  retryAfterSeconds?: number | undefined;
}

/** The websites of each practice whose page this process has shown, because a network over its pace must not reach the database. */
const shownOrigins = new Map<string, readonly string[]>();

/**
 * What `/widget/{npi}` holds and who may frame it: the websites that the practice saved. A practice without a chat and an unknown NPI get the
 * same page. It has one sentence and nothing to press, so every website may show it.
 */
export async function readWidgetPage(
  services: Services,
  req: FastifyRequest,
  reply: FastifyReply,
): Promise<WidgetPage> {
  const { npi } = req.params as { npi: string };
  try {
    await services.visitorPace.wait(req.ip, undefined);
    const ctx = await contextFor(services, 'anyone', req, reply);
    const scope = await chatOfNpi(ctx, npi);
    return await scope.transaction(async (tx) => {
      const front = await chatFrontOf(tx, scope);
      const { origins } = chatSettingsOf(await officeRow(tx, scope.officeId));
      shownOrigins.set(npi, origins);
      return { status: 200, boot: { front }, origins };
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, code, retryAfterSeconds } = error;
    if (code === 'chat_off') {
      shownOrigins.delete(npi);
      return { status, boot: { front: null }, origins: 'any' };
    }
    return { status, boot: null, origins: shownOrigins.get(npi) ?? [], retryAfterSeconds };
  }
}
