import type { EndedLink } from '#contract/ended-link.ts';
import type { Services } from './context.ts';
import { hashToken } from './kit/crypto/secret.ts';
import { Refusal } from './kit/http/refusal.ts';

const codes = { visit: 'visit_link_ended', episode: 'episode_link_ended' } as const;

/** The refusal of a link that opens nothing. One that has ended names its practice; only somebody who had it knows its token. */
export async function endedLinkRefusal(
  { pool, now }: Pick<Services, 'pool' | 'now'>,
  kind: keyof typeof codes,
  token: unknown,
): Promise<Refusal> {
  if (typeof token !== 'string') return new Refusal(codes[kind]);
  const { rows } = await pool.query<{ office_name: string; office_phone: string | null; has_expired: boolean }>({
    name: 'door_ended_link',
    text: 'select * from door_ended_link($1, $2, $3)',
    values: [kind, hashToken(token), now()],
  });
  const [row] = rows;
  if (!row) return new Refusal(codes[kind]);
  const { office_name: officeName, office_phone: officePhone, has_expired: hasExpired } = row;
  return new Refusal(codes[kind], { officeName, officePhone, hasExpired } satisfies EndedLink);
}
