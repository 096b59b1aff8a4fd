/** By which pain score a table is sorted. */
export interface PainSort {
  sort?: PainColumn;
  /** The lowest score first; the highest is first without it. */
  ascending?: true;
}

/** What the address of the ambulatory patient list says. Never a name: what is searched for stays on the page. */
export interface PatientsSearch extends PainSort {
  page?: number | undefined;
  /** The kinds of patients in the list, if they are not the usual ones. */
  show?: string;
}

export const painColumns = ['stationary', 'movement'] as const;
export type PainColumn = (typeof painColumns)[number];

export const patientStates = ['active', 'pending', 'ended'] as const;
export const formKinds = ['complete', 'incomplete'] as const;
/** What the checkboxes show, in their order. */
export const patientKinds = [...patientStates, ...formKinds] as const;
export type PatientKind = (typeof patientKinds)[number];

const usualKinds: readonly PatientKind[] = ['active', 'pending', 'complete', 'incomplete'];

/** Reads the search parameters; invalid ones are left out. */
export function readPatientsSearch({ page, sort, ascending, show }: Record<string, unknown>): PatientsSearch {
  const number = Number(page);
  const column = painColumns.find((name) => name === sort);
  return {
    ...(Number.isInteger(number) && number > 1 && number < 10_000 && { page: number }),
    ...(column && { sort: column }),
    ...(column && (ascending === 'true' || ascending === true) && { ascending: true as const }),
    ...(typeof show === 'string' && showParameter(shownKinds({ show }))),
  };
}

/** The kinds of patients that this address shows. */
export function shownKinds({ show }: Pick<PatientsSearch, 'show'>): readonly PatientKind[] {
  if (show === undefined) return usualKinds;
  const names = show.split('.');
  return patientKinds.filter((kind) => names.includes(kind));
}

/** No patient is of a shown kind: no state is shown, or neither complete nor incomplete ones. */
export function showsNobody(address: Pick<PatientsSearch, 'show'>): boolean {
  const shown = shownKinds(address);
  const isShown = (kind: PatientKind) => shown.includes(kind);
  return !patientStates.some(isShown) || !formKinds.some(isShown);
}

function showParameter(kinds: readonly PatientKind[]): Pick<PatientsSearch, 'show'> {
  const isUsual = kinds.length === usualKinds.length && kinds.every((kind) => usualKinds.includes(kind));
  return isUsual ? {} : { show: kinds.join('.') || 'none' };
}

/** The address after a checkbox was changed: the list begins with its first page again. */
export function withKind(
  { page: _, show, ...rest }: PatientsSearch,
  kind: PatientKind,
  isShown: boolean,
): PatientsSearch {
  const before = shownKinds({ ...(show !== undefined && { show }) });
  return { ...rest, ...showParameter(patientKinds.filter((one) => (one === kind ? isShown : before.includes(one)))) };
}

/** The address after a press on a pain column: the highest first, then the lowest first, then the order of the list. */
export function withSort(address: PatientsSearch, column: PainColumn): PatientsSearch {
  const { page: _, sort, ascending, ...rest } = address;
  if (sort !== column) return { ...rest, sort: column };
  return ascending ? rest : { ...rest, sort: column, ascending: true };
}
