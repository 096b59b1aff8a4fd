import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  cancelPlan,
  choosePlan,
  createCustomer,
  listInvoices,
  previewPlan,
  readInvoicePdf,
  readMembership,
  readPaymentMethod,
  readPrices,
  readSubscription,
  savePaymentMethod,
  type OfficeMembership,
  type Plan,
  type Subscription,
} from '#contract/membership.ts';
import { callForFile, saveFile } from '#web/kit/call-file.ts';
import { call } from '#web/kit/call.ts';
import { usePublicConfig } from '#web/kit/public-config.ts';
import { useRefetchOnHints } from '#web/kit/refetch-after-hint.ts';
import { useSession } from '#web/kit/session.ts';

const key = (officeId: string | undefined, ...of: string[]) => ['membership', officeId, ...of];

/** The membership as the server last saw it: for the dashboards, which never wait for the card provider. */
export function useOfficeMembership() {
  const { office } = useSession();
  return useQuery({
    queryKey: key(office?.id, 'office'),
    queryFn: ({ signal }) => call(readMembership, {}, { signal }),
    staleTime: 60_000,
    enabled: office !== null,
  });
}

/** Fetches what is on screen again when the membership changed. Used once, by the alert bar: each fetch of the page asks the card provider. */
export function useMembershipHints(): void {
  const { office } = useSession();
  useRefetchOnHints(key(office?.id), ({ type }) => type === 'membership');
}

/** The office at the card provider: what each of its calls names. */
export interface Customer {
  card: string;
  customerId: string;
}

/** All that the Membership page shows, fresh from the card provider, if there is one. Makes the office a customer if it is not one yet. */
export function useMembershipPage(hasProvider: boolean) {
  const { office } = useSession();
  const card = usePublicConfig()?.card;
  const cache = useQueryClient();
  return useQuery({
    queryKey: key(office?.id, 'page'),
    queryFn: async () => {
      const name = card ?? '';
      const before = await call(readMembership);
      const customer = { card: name, customerId: before.customerId ?? (await haveCustomer(name, office?.id)) };
      let subscription = await call(readSubscription, { params: customer });
      if (subscription.missing) {
        customer.customerId = await haveCustomer(name, office?.id);
        subscription = await call(readSubscription, { params: customer });
      }
      const [payment, prices, { invoices }] = await Promise.all([
        call(readPaymentMethod, { params: customer }),
        cache.fetchQuery({
          // Not of this page's key: a hint about the plan does not change a price.
          queryKey: ['prices', office?.id],
          queryFn: () => call(readPrices, { params: { card: name }, query: {} }),
          staleTime: 60_000,
        }),
        call(listInvoices, { params: customer }),
      ]);
      cache.setQueryData<OfficeMembership>(
        key(office?.id, 'office'),
        (known) => known && { ...known, customerId: customer.customerId, subscription },
      );
      return {
        customer,
        subscription,
        payment,
        cents: prices,
        priceIds: before.prices,
        invoices,
      };
    },
    enabled: hasProvider && office !== null && card !== undefined,
  });
}
export type MembershipData = NonNullable<ReturnType<typeof useMembershipPage>['data']>;

const haveCustomer = async (card: string, officeId: string | undefined) =>
  (await call(createCustomer, { params: { card }, body: { strapi: { _id: officeId } } })).customerId;

/** What choosing a plan would cost. */
export function usePreview({ card, customerId }: Customer, price: string, providers: number) {
  const { office } = useSession();
  return useQuery({
    queryKey: key(office?.id, 'preview', price, String(providers)),
    queryFn: ({ signal }) =>
      call(previewPlan, { params: { card, customerId }, query: { price, providers: String(providers) } }, { signal }),
    enabled: providers >= 1,
    gcTime: 0,
  });
}

function useRefresh() {
  const { office } = useSession();
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey: key(office?.id) });
}

export function useChoosePlan({ card, customerId }: Customer) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (wanted: { price: string; providers: number }): Promise<Subscription> =>
      call(choosePlan, { params: { card }, body: { customerId, ...wanted } }),
    onSettled: refresh,
  });
}

export function useCancelPlan({ card }: Customer) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (sub: string) => call(cancelPlan, { params: { card }, body: { sub } }),
    onSettled: refresh,
  });
}

/** `onSaved` belongs to the mutation: the form is gone as soon as the refreshed page has a card. */
export function useSaveCard(params: Customer, onSaved: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (card: { token: string; name: string }) => call(savePaymentMethod, { params, body: card }),
    onSuccess: onSaved,
    onSettled: refresh,
  });
}

/** Saves an invoice through the browser's downloads. */
export function useInvoicePdf(customer: Customer) {
  return useMutation({
    mutationFn: (invoiceId: string) => callForFile(readInvoicePdf, { params: { ...customer, invoiceId } }),
    onSuccess: saveFile,
  });
}

/** A plan as the page offers it. */
export interface PlanOffer {
  plan: Plan;
  priceId: string;
  cents: number;
}
