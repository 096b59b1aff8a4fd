import { addressSearch } from './benchmarks/address-search.ts';
import { ambulatoryList } from './benchmarks/ambulatory-list.ts';
import { bulkTexts } from './benchmarks/bulk-texts.ts';
import { callbacks } from './benchmarks/callbacks.ts';
import { chatFanOut } from './benchmarks/chat-fan-out.ts';
import { coldStart } from './benchmarks/cold-start.ts';
import { commits } from './benchmarks/commits.ts';
import { fanOut } from './benchmarks/fan-out.ts';
import { formDifferences } from './benchmarks/form-differences.ts';
import { formTyping } from './benchmarks/form-typing.ts';
import { formPdf } from './benchmarks/form-pdf.ts';
import { formZip } from './benchmarks/form-zip.ts';
import { formsList } from './benchmarks/forms-list.ts';
import { firstLoad } from './benchmarks/first-load.ts';
import { formsEngine } from './benchmarks/forms-engine.ts';
import { largeFormBench } from './benchmarks/large-form.ts';
import { printReport, type Line } from './ground/report-lines.ts';
import { inbox } from './benchmarks/inbox.ts';
import { messageFanOut } from './benchmarks/message-fan-out.ts';
import { mixedLoad } from './benchmarks/mixed.ts';
import { nppes } from './benchmarks/nppes-import.ts';
import { phoneList } from './benchmarks/phone-list.ts';
import { patientPage } from './benchmarks/patient-page.ts';
import { questionnaireCorpus } from './benchmarks/questionnaire-corpus.ts';
import { queueHints } from './benchmarks/queue-hints.ts';
import { queueRead } from './benchmarks/queue-read.ts';
import { sending } from './benchmarks/sending.ts';
import { signInsBench } from './benchmarks/sign-ins.ts';
import { transactions } from './benchmarks/transactions.ts';
import { widget } from './benchmarks/widget.ts';

/** Every benchmark by name: `script/bench` runs all, `script/bench NAME …` some. */
const benchmarks: Record<string, () => Promise<Line[]>> = {
  'queue-read': queueRead,
  'queue-hints': queueHints,
  'sign-ins': signInsBench,
  commits,
  'fan-out': fanOut,
  mixed: mixedLoad,
  nppes,
  'address-search': addressSearch,
  'forms-engine': formsEngine,
  'form-typing': formTyping,
  'large-form': largeFormBench,
  'questionnaire-corpus': questionnaireCorpus,
  'form-differences': formDifferences,
  'forms-list': formsList,
  'form-pdf': formPdf,
  'form-zip': formZip,
  'bulk-texts': bulkTexts,
  sending,
  'phone-list': phoneList,
  inbox,
  transactions,
  'ambulatory-list': ambulatoryList,
  callbacks,
  'message-fan-out': messageFanOut,
  'chat-fan-out': chatFanOut,
  'first-load': firstLoad,
  'patient-page': patientPage,
  widget,
  'cold-start': coldStart,
};

const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = asked.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  process.stderr.write(`No benchmark ${unknown.join(', ')}. There are: ${Object.keys(benchmarks).join(', ')}\n`);
  process.exit(2);
}
let missed = 0;
for (const [name, run] of Object.entries(benchmarks)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  process.stdout.write(`${name}\n`);
  const lines = await run();
  printReport(lines);
  missed += lines.filter((line) => line.met === false).length;
}
process.stdout.write(missed === 0 ? 'every aim met\n' : `${missed} aims missed\n`);
process.exitCode = missed === 0 ? 0 : 1;
