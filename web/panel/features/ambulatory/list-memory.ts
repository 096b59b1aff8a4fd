import type { PainSort, PatientsSearch } from './patients-search.ts';

/** How the patient list was sorted and filtered when it was left, and on which page: whoever comes back from a patient goes on there. Never a name. */
interface ListMemory {
  address: PatientsSearch;
  callbackPage: number;
  callbackSort: PainSort;
}

const start: ListMemory = { address: {}, callbackPage: 1, callbackSort: {} };
let memory = start;

export const rememberedList = (): ListMemory => memory;
export const rememberList = (list: ListMemory): void => void (memory = list);
