import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { readFormUrl, searchForms } from '#contract/forms/desk.ts';
import { readFormSettings } from '#contract/forms/settings.ts';
import { call } from '#web/kit/call.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { useHints } from '#web/kit/live.ts';
import type { FormsSearch } from './forms-search.ts';

const route = getRouteApi('/office/dashboard/forms');

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The name that is searched for: it lasts through Back and reload, and is in no address. */
    patientName?: string;
    /** Whose family's forms the list of a visit shows. */
    visitName?: string;
  }
}

export interface Filter {
  formType: string;
  startDate: string;
  endDate: string;
  patientName: string;
  /** One visit's family; any other filter ends it. */
  visitId: string;
}

/** What is shown and how to show something else. A new filter starts on page 1. */
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
  /** Turns pages and opens forms; the filter stays. */
  const go = (to: Pick<FormsSearch, 'page' | 'open'>, options?: { replace: boolean }) =>
    void navigate({ search: (now) => ({ ...now, ...to }), state: true, ...options });
  return { filter, visitName, page: search.page ?? 1, open: search.open, filterBy, go };
}

/** A filter as the call takes it: what is empty is left out. */
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
  const list = useQuery({
    queryKey: ['forms', search],
    queryFn: ({ signal }) => call(searchForms, { body: search }, { signal }),
    placeholderData: keepPreviousData,
  });
  useHints(({ type }) => {
    if (type === 'forms' || type === 'checkin' || type === 'refetch') void list.refetch();
  });
  return list;
}

/** The address of one form's PDF, made anew each time it is opened: it lasts two minutes, and each is in the record. */
export function useFormUrl(key: string) {
  return useQuery({
    queryKey: ['form-url', key],
    queryFn: ({ signal }) => call(readFormUrl, { query: { key } }, { signal }),
    staleTime: 'static',
    gcTime: 0,
  });
}

interface FormTypeShown {
  formType: string;
  name: string;
  /** The office asks for it at present. */
  asked: boolean;
}

/** The forms the office asks for, in its order, then the others it can have had filled. */
export function useFormTypes() {
  const language = useLanguage();
  return useQuery({
    queryKey: ['form-types'],
    queryFn: ({ signal }) => call(readFormSettings, {}, { signal }),
    select: ({ known, forms }): FormTypeShown[] => {
      const nameOf = new Map(known.map(({ formType, name }) => [formType, name[language]]));
      const asked = forms
        .filter(({ enabled, type }) => enabled && nameOf.has(type))
        .map(({ type, visibleName }) => ({
          formType: type,
          name: visibleName[language] || (nameOf.get(type) ?? type),
          asked: true,
        }));
      const others = [...nameOf]
        .filter(([formType]) => asked.every((one) => one.formType !== formType))
        .map(([formType, name]) => ({ formType, name, asked: false }));
      return [...asked, ...others];
    },
  });
}
