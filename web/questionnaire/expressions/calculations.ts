import type { CalculatedForm, Calculations } from './calculated-form.ts';
import { calculateInWorker, whenReady } from './worker-calculations.ts';

/** Opens the calculations of a form: in a worker where the browser has one and it loads, else on the page's own thread. */
export async function openCalculations(form: CalculatedForm): Promise<Calculations> {
  if (!hasWorkers()) return calculateHere(form);
  return calculateInWorker(form, takeWorker).catch(() => calculateHere(form));
}

/** Fetches what calculations need, before a form is opened. */
export async function prepareCalculations(): Promise<void> {
  if (!hasWorkers()) return void (await import('./form-calculations.ts').then((here) => here.loadFormCalculations()));
  spare ??= startWorker();
  await spare.catch(() => (spare = undefined));
}

const hasWorkers = () => typeof Worker !== 'undefined';

/** A worker that waits for its form. */
let spare: Promise<Worker> | undefined;

const startWorker = () =>
  whenReady(new Worker(new URL('./calculation-worker.ts', import.meta.url), { type: 'module' }));

function takeWorker(): Promise<Worker> {
  const worker = spare ?? startWorker();
  spare = undefined;
  return worker;
}

async function calculateHere(form: CalculatedForm): Promise<Calculations> {
  const { loadFormCalculations } = await import('./form-calculations.ts');
  const open = await loadFormCalculations();
  const { begin, settle } = open(form);
  return {
    begin: async (answers) => begin(answers),
    settle: async (answers) => ({ ...settle(answers), isUncalculated: false }),
    stop: () => undefined,
  };
}
