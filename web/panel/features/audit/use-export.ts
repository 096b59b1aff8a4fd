import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { exportAudit, exportPageSize, longestExport, type AuditEntry } from '#contract/audit.ts';
import { saveFile } from '#web/kit/call-file.ts';
import { call } from '#web/kit/call.ts';
import { errorMessage } from '#web/kit/error-messages.ts';
import { serverNow } from '#web/kit/clock.ts';
import { useOfficeZone } from '#web/kit/format.tsx';
import { toast } from '#web/panel/ui/toasts.ts';
import { useActionMessage, useActorName, useRefusalMessage } from './audit-messages.tsx';
import { csvOf, type CsvRow } from './csv.ts';
import { toAuditFilter, type Filter } from './use-audit.ts';

/** Saves the entries that match the filter as a CSV file, with the labels of the screen; `loaded` counts them meanwhile. */
export function useExport(filter: Filter) {
  const { t } = useLingui();
  const rowOf = useRow();
  const zone = useOfficeZone();
  const [loaded, setLoaded] = useState(0);
  const download = useMutation({
    async mutationFn() {
      setLoaded(0);
      const { entries, isCut } = await allEntries(filter, setLoaded);
      const heads = [t`Date`, t`Time`, t`Who`, t`What`, t`Patient`, t`Refused`, t`Entry number`];
      const blob = new Blob([csvOf([heads, ...entries.map(rowOf)])], { type: 'text/csv;charset=utf-8' });
      const [day = ''] = officeTime(zone).format(serverNow()).split(' ');
      saveFile({ blob, fileName: `audit-log-${day}.csv` });
      return isCut;
    },
    onSuccess(isCut) {
      if (isCut)
        toast({
          tone: 'amber',
          title: t`The file has the newest ${longestExport} entries only`,
          text: t`Choose fewer days to get the others.`,
          seconds: 30,
        });
    },
    onError: (error) =>
      toast({ tone: 'red', title: errorMessage(error, t`The server could not be reached.`), seconds: 10 }),
  });
  return { ...download, loaded };
}

/** The newest entries, up to the limit of an export. */
async function allEntries(filter: Filter, onLoaded: (entries: number) => void) {
  const entries: AuditEntry[] = [];
  let before: string | null = '';
  while (before !== null && entries.length + exportPageSize <= longestExport) {
    const body = { ...toAuditFilter(filter), ...(before && { before }) };
    const page: { entries: AuditEntry[]; next: string | null } = await call(exportAudit, { body });
    entries.push(...page.entries);
    onLoaded(entries.length);
    before = page.next;
  }
  return { entries, isCut: before !== null };
}

function useRow(): (entry: AuditEntry) => CsvRow {
  const actorName = useActorName();
  const actionMessage = useActionMessage();
  const refusal = useRefusalMessage();
  const format = officeTime(useOfficeZone());
  return (entry) => [
    ...format.format(Date.parse(entry.at)).split(' '),
    actorName(entry),
    actionMessage(entry),
    entry.patientName ?? '',
    refusal(entry) ?? '',
    entry.id,
  ];
}

/** Swedish dates are ISO dates: 2026-03-02 15:04:05. */
const officeTime = (timeZone: string | undefined) =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', ...(timeZone && { timeZone }) });
