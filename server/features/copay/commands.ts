import { findOperatorScope } from '#server/features/office/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { UsageError, type Command } from '#server/kit/command.ts';
import { setPracticeNumber } from './recording-sql.ts';

export const copayCommands: readonly Command[] = [
  {
    name: 'office patient-number',
    takes: 'NPI PATIENT-CODE [NUMBER]',
    says: "Sets the patient's number in the practice software, which recording a payment needs. Without NUMBER: removes it",
    async run({ services, say }, { operands }) {
      const scope = await findOperatorScope(services, operands[0]);
      const [, code = '', number] = operands;
      if (code === '' || operands.length > 3) throw new UsageError("Give the patient's code, and the number.");
      if (number !== undefined && !/^[1-9]\d{0,14}$/.test(number)) throw new UsageError(`"${number}" is no number.`);
      await scope.transaction(async (tx) => {
        if (!(await setPracticeNumber(tx, scope.officeId, code, number ?? null)))
          throw new UsageError('The office has no patient with this code.');
        const details = { changed: 'practiceNumber' };
        await writeAuditEntry(tx, scope, { action: 'settings.change', subject: 'patient', details });
      });
      say(number === undefined ? 'Taken away.' : 'Set.');
    },
  },
];
