import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { Services } from '#server/context.ts';
import { usPhone } from '#server/kit/phone.ts';
import { pageStyle } from '#server/kit/http/page-style.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { outboxPage, type OutboxItem } from './outbox-page/page.ts';
import type { Post } from './post-to-self.ts';
import { keepMedia } from './sms/local.ts';
import { sendReportCallback } from './sms/local-reports.ts';

const asset = (file: string) => readFileSync(join(projectRoot, 'server/providers/outbox-page', file), 'utf8');

const Answer = z.object({
  /** The office's number. */
  to: z.string().check(z.maxLength(40)),
  /** The patient's number. */
  from: z.string().check(z.maxLength(40)),
  body: z.string().check(z.maxLength(1600)),
  /** A file sent with it (MMS), in base64. */
  file: z.optional(z.object({ type: z.string().check(z.maxLength(100)), content: z.string() })),
});
/** A file of 10 MB in base64, and what is around it. */
const answerMaxBytes = 14_000_000;

/** What the local providers would have sent: `/dev/outbox.json?to=`, a page, and a way to reply as the patient's phone would. Demo only. */
export function outboxRoutes(app: FastifyInstance): void {
  const { services } = app;
  app.get('/dev/outbox.json', async (req) => {
    const sent = await sentTo(services, filterOf(req.query), 500);
    return sent.map(({ id, channel, to, body, at }) => ({ id, channel, to, body, at }));
  });
  app.get('/dev/outbox', async (req, reply) => {
    const filter = filterOf(req.query);
    const sent = await sentTo(services, filter, 100);
    return reply.type('text/html; charset=utf-8').send(outboxPage(services.env.productName, filter, sent));
  });
  app.get('/dev/outbox.css', async (_req, reply) =>
    reply.type('text/css; charset=utf-8').send(pageStyle('server/providers/outbox-page/page.css')),
  );
  app.get('/dev/outbox.js', async (_req, reply) => reply.type('text/javascript; charset=utf-8').send(asset('page.js')));

  const post: Post = async (path, headers, body) => {
    const answer = await app.inject({ method: 'POST', url: path, headers, payload: body });
    return answer.statusCode;
  };
  app.post('/dev/outbox/reply', { bodyLimit: answerMaxBytes }, async (req, reply) => {
    const parsedBody = z.safeParse(Answer, req.body);
    if (!parsedBody.success) throw new Refusal('invalid_input');
    const { file, ...text } = parsedBody.data;
    const media = file && [{ source: await keepMedia(services, Buffer.from(file.content, 'base64')), type: file.type }];
    const status = await sendReportCallback(services, post, '/api/sms/inbound', {
      ...text,
      ...(media && { media }),
      providerId: services.id(),
    });
    if (status === 404) throw new Refusal('office_not_found');
    if (status !== 200) throw new Refusal('invalid_phone');
    return reply.send({ received: true });
  });
}

function filterOf(query: unknown): string {
  const { to } = query as { to?: unknown };
  return typeof to === 'string' ? to.toWellFormed().replaceAll('\0', '').trim().slice(0, 254) : '';
}

/** Newest first. A whole number or address matches exactly in any spelling, a part of one anywhere. */
async function sentTo({ db }: Services, filter: string, limit: number): Promise<OutboxItem[]> {
  const phone = usPhone(filter);
  const email = filter.replaceAll(' ', '+').toLowerCase(); // an unescaped plus in a URL arrives as a space
  const piece = filter.includes('@') || /[a-z]/i.test(filter) ? email : filter.replace(/\D/g, '');
  const rows = await db
    .selectFrom('dev.outbox')
    .select(['id', 'channel', 'sender', 'recipient', 'body', 'state', 'at'])
    .$if(filter !== '', (q) => {
      if (phone) return q.where('recipient', '=', phone);
      if (/^\S+@\S+\.\w+$/.test(email)) return q.where((w) => w(w.fn<string>('lower', ['recipient']), '=', email));
      if (piece === '') return q.where('recipient', '=', filter);
      return q.where('recipient', 'ilike', `%${piece.replace(/[%_\\]/g, '\\$&')}%`);
    })
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    channel: row.channel,
    from: row.sender,
    to: row.recipient,
    body: row.body,
    state: row.state,
    at: row.at.toISOString(),
  }));
}
