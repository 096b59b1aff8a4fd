import type { Move, QueueEntry } from '#contract/queue.ts';
import type { Actor, OfficeScope, Services } from '#server/context.ts';
import { arrive, lockVisit, makeMove, type Party, type VisitRow } from '#server/features/queue/index.ts';
import { newLinkStatements } from '#server/features/queue/visit-links.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { runTogether } from '#server/kit/db/statements.ts';
import type { TestOffice } from './test-office.ts';

let phones = 0;

/** A number nobody else in this test has: those reserved for fiction, one area code after another. */
const nextPhone = () => {
  const n = phones++;
  return `+1${212 + Math.floor(n / 100)}55501${String(n % 100).padStart(2, '0')}`;
};

/** What adds visits and links to them, in the first office unless another is named. */
export function testVisits(
  services: Services,
  scopeOf: (of: TestOffice, actor?: Actor) => OfficeScope,
  maple: TestOffice,
) {
  return {
    /** A visit that arrived just now and then made these moves. */
    async visit(
      wanted: Partial<Party> & { office?: TestOffice; moves?: Move[] } = {},
    ): Promise<QueueEntry & { token: string }> {
      const { office: of = maple, moves = [], ...party } = wanted;
      const phone = party.phone ?? nextPhone();
      const patient = scopeOf(of, { kind: 'patient', id: null, name: null });
      const { visitId, token } = await patient.transaction((tx) =>
        arrive(tx, patient, {
          firstName: 'Ada',
          lastName: 'Byron',
          birthDate: '1990-12-10',
          household: [],
          language: 'en',
          ...party,
          phone,
        }),
      );
      for (const move of moves) {
        const scope = scopeOf(of);
        await scope.transaction(async (tx) =>
          makeMove(tx, scope, (await lockVisit(tx, of.id, visitId)) as VisitRow, move),
        );
      }
      const row = await asOffice(services.db, of.id, (tx) =>
        tx.selectFrom('queueEntry').select('entry').where('id', '=', visitId).executeTakeFirstOrThrow(),
      );
      return { ...(row.entry as unknown as QueueEntry), token };
    },

    /** The token of another link to a visit, as if texted to the visit's number. */
    async provedToken(visitId: string, of: TestOffice = maple): Promise<string> {
      const scope = scopeOf(of);
      return scope.transaction(async (tx) => {
        const visit = (await lockVisit(tx, of.id, visitId)) as VisitRow;
        const { token, statements } = await newLinkStatements(tx, scope, visit, { proved: true });
        await runTogether(tx, { statements, hints: [] });
        return token;
      });
    },
  };
}
