import type { AuditEntry } from './use-audit.ts';

/** Entries of a patient and refused ones stand alone. */
const isFoldable = ({ patientName, outcome }: AuditEntry) => patientName === null && outcome === 'done';

const sameRow = ({ actor, actorName, subject, details }: AuditEntry) =>
  JSON.stringify([actor, actorName, subject, details]);

/**
 * The entries in groups for one row each: the same action without a patient, by one person, with no other action in between. Open panels of
 * two people read the queue in turn, so others may do the same in between.
 */
export function foldEntries(entries: readonly AuditEntry[]): AuditEntry[][] {
  const runs: AuditEntry[][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    const goesOn = before && isFoldable(before) && isFoldable(entry) && before.action === entry.action;
    if (run && goesOn) run.push(entry);
    else runs.push([entry]);
  }
  return runs.flatMap((run) => [...Map.groupBy(run, sameRow).values()]);
}
