/** The search parameters of the forms list: types, days and keys, never a name. */
export interface FormsSearch {
  type?: string | undefined;
  /** First and last day in the office's time zone, YYYY-MM-DD. */
  from?: string | undefined;
  to?: string | undefined;
  /** The forms of one visit's family. */
  visit?: string | undefined;
  page?: number | undefined;
  /** The object key of the form that is open beside the list. */
  open?: string | undefined;
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const day = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** Reads the search parameters; invalid ones are left out. */
export function readFormsSearch({ type, from, to, visit, page, open }: Record<string, unknown>): FormsSearch {
  return {
    type: typeof type === 'string' && /^[a-z0-9][a-z0-9-]{0,63}$/.test(type) ? type : undefined,
    from: typeof from === 'string' && day.test(from) ? from : undefined,
    to: typeof to === 'string' && day.test(to) ? to : undefined,
    visit: typeof visit === 'string' && uuid.test(visit) ? visit : undefined,
    page: /^[1-9]\d{0,5}$/.test(String(page)) && Number(page) > 1 ? Number(page) : undefined,
    open: typeof open === 'string' && /^[\w./-]{1,200}$/.test(open) ? open : undefined,
  };
}
