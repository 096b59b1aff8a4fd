import { addressSearch } from './address-search.ts';
import { coldStart } from './cold-start.ts';
import { fanOut } from './fan-out.ts';
import { formTyping } from './form-typing.ts';
import { formPdf } from './form-pdf.ts';
import { formZip } from './form-zip.ts';
import { formsList } from './forms-list.ts';
import { firstLoad } from './first-load.ts';
import { formsEngine } from './forms-engine.ts';
import { print, type Line } from './lines.ts';
import { mixed } from './mixed.ts';
import { nppes } from './nppes.ts';
import { patientPage } from './patient-page.ts';
import { queueRead } from './queue-read.ts';
import { signInsBench } from './sign-ins.ts';

/** Every benchmark by its name: `script/bench` runs all, `script/bench NAME …` some. */
const benchmarks: Record<string, () => Promise<Line[]>> = {
  'queue-read': queueRead,
  'sign-ins': signInsBench,
  'fan-out': fanOut,
  mixed,
  nppes,
  'address-search': addressSearch,
  'forms-engine': formsEngine,
  'form-typing': formTyping,
  'forms-list': formsList,
  'form-pdf': formPdf,
  'form-zip': formZip,
  'first-load': firstLoad,
  'patient-page': patientPage,
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
  print(lines);
  missed += lines.filter((line) => line.met === false).length;
}
process.stdout.write(missed === 0 ? 'every aim met\n' : `${missed} aims missed\n`);
process.exitCode = missed === 0 ? 0 : 1;
