import { loadFormCalculations, type FormCalculations } from './form-calculations.ts';
import { settledReply, type WorkerReply, type WorkerRequest } from './worker-messages.ts';

/** Calculates one form beside the page, so that a dear calculation never stops the patient from typing. */
let calculations: FormCalculations | undefined;
const opening = loadFormCalculations();
const reply = (message: WorkerReply) => postMessage(message);

async function answer(request: WorkerRequest): Promise<void> {
  const open = await opening;
  if (request.kind === 'open') calculations = open(request.form);
  else if (!calculations) return;
  else if (request.kind === 'begin') reply({ kind: 'began', ...calculations.begin(request.answers) });
  else reply(settledReply(request.answers, calculations.settle(request.answers)));
}

// The page hears of an error only if it is reported.
addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => void answer(data).catch(reportError));
opening.then(() => reply({ kind: 'ready' })).catch(reportError);
