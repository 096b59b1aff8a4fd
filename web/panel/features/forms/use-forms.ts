import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { countForms, searchForms } from '#contract/forms/desk.ts';
import { readFormSettings } from '#contract/forms/settings.ts';
import { call } from '#web/kit/call.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { pollMs } from '#web/kit/poll.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { changesFormsLists } from './forms-hints.ts';
import type { FormsSearch } from './forms-search.ts';

const route = getRouteApi('/office/dashboard/forms');

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The name to search for. It survives Back and reload, but is never part of the address. */
    patientName?: string;
    /** The name of the visit whose family's forms are shown. */
    visitName?: string;
  }
}

export interface Filter {
  formType: string;
  startDate: string;
  endDate: string;
  patientName: string;
  /** The visit whose family's forms are shown; any other filter clears it. */
  visitId: string;
}

/** The filter, page and open form in the address, and functions that change them. A new filter starts on page 1. */
export function useFormsAddress() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const patientName = useLocation({ select: ({ state }) => state.patientName ?? '' });
  const visitName = useLocation({ select: ({ state }) => state.visitName ?? '' });
  const filter: Filter = {
    formType: search.type ?? '',
    startDate: search.from ?? '',
    endDate: search.to ?? '',
    patientName,
    visitId: search.visit ?? '',
  };
  const filterBy = (change: Partial<Filter>) => {
    const { formType, startDate, endDate, patientName: name } = { ...filter, ...change };
    void navigate({
      search: { type: formType || undefined, from: startDate || undefined, to: endDate || undefined },
      state: { patientName: name },
    });
  };
  /** Changes the page or the open form; the filter stays. */
  const go = (to: Pick<FormsSearch, 'page' | 'open'>, options?: { replace: boolean }) =>
    void navigate({ search: (now) => ({ ...now, ...to }), state: true, ...options });
  return { filter, visitName, page: search.page ?? 1, open: search.open, filterBy, go };
}

/** The body of the search call; empty fields are left out. */
export function searchOf({ formType, startDate, endDate, patientName, visitId }: Filter, page: number) {
  return {
    ...(formType && { formType }),
    ...(startDate && { startDate }),
    ...(endDate && { endDate }),
    ...(patientName && { patientName }),
    ...(visitId && { visitId }),
    page: String(page),
  };
}

export function useForms(filter: Filter, page: number) {
  const search = searchOf(filter, page);
  const queryKey = ['forms', search];
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(searchForms, { body: search }, { signal }),
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  });
  useRefetchOnHints(queryKey, changesFormsLists);
  return list;
}

/** How many forms of each type there are, for the days and the name of a filter. */
export function useFormCounts({ startDate, endDate, patientName }: Omit<Filter, 'formType' | 'visitId'>) {
  const body = {
    ...(startDate && { startDate }),
    ...(endDate && { endDate }),
    ...(patientName && { patientName }),
  };
  const queryKey = ['form-counts', body];
  const counts = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(countForms, { body }, { signal }),
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  });
  useRefetchOnHints(queryKey, ({ type }) => type === 'forms' || type === 'refetch');
  return counts;
}

interface FormTypeShown {
  formType: string;
  name: string;
  /** The office currently asks patients for this form. */
  isRequested: boolean;
}

export const noFilter: Filter = { formType: '', startDate: '', endDate: '', patientName: '', visitId: '' };

/** The forms the office asks for, in its order, then the other forms that patients may have filled in. */
export function useFormTypes() {
  const language = useLanguage();
  return useQuery({
    queryKey: ['form-types'],
    queryFn: ({ signal }) => call(readFormSettings, {}, { signal }),
    select: ({ known, forms }): FormTypeShown[] => {
      const nameOf = new Map(known.map(({ formType, name }) => [formType, name[language]]));
      const requested = forms
        .filter(({ enabled, type }) => enabled && nameOf.has(type))
        .map(({ type, visibleName }) => ({
          formType: type,
          name: visibleName[language] || (nameOf.get(type) ?? type),
          isRequested: true,
        }));
      const others = [...nameOf]
        .filter(([formType]) => requested.every((form) => form.formType !== formType))
        .map(([formType, name]) => ({ formType, name, isRequested: false }));
      return [...requested, ...others];
    },
  });
}
