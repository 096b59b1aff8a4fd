import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import {
  addPasskey,
  confirmAuthenticator,
  readSecurity,
  removeAuthenticator,
  removePasskey,
  renewRecoveryCodes,
  requireAuthenticator,
  setLockMinutes,
  startPasskey,
  type Security,
} from '#contract/sign-in/second-ways.ts';
import { removePin } from '#contract/sign-in/pin.ts';
import { listDevices, signOutDevice, signOutEverywhere, type Device } from '#contract/sign-in/session.ts';
import { call } from '#web/kit/call.ts';
import { useHints } from '#web/kit/live.ts';
import { makePasskey } from '#web/kit/passkeys.ts';
import { signOutAndLeave, sessionQuery } from '#web/kit/session.ts';

const securityKey = ['security'] as const;
const devicesKey = ['security', 'devices'] as const;

/** Refetches this query only: refetching the setup secret would create another one. */
export const refetchSecurity = (cache: QueryClient) => cache.invalidateQueries({ queryKey: securityKey, exact: true });

/** This person's sign-in methods; refetched when a colleague changes the practice's rules. */
export function useSecurity() {
  const cache = useQueryClient();
  useHints(({ type }) => {
    if (type === 'settings') void refetchSecurity(cache);
  });
  return useQuery({ queryKey: securityKey, queryFn: ({ signal }) => call(readSecurity, {}, { signal }) });
}

export function useDevices() {
  return useQuery({
    queryKey: devicesKey,
    queryFn: ({ signal }) => call(listDevices, {}, { signal }),
    staleTime: 0,
    select: ({ devices }) => devices,
  });
}

export function useSignOutDevice() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Device) => call(signOutDevice, { params: { deviceId: id } }),
    onSuccess: (left) => cache.setQueryData(devicesKey, left),
    onError: () => cache.invalidateQueries({ queryKey: devicesKey }),
  });
}

export function useSignOutEverywhere() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      await call(signOutEverywhere);
      await signOutAndLeave(cache);
    },
  });
}

const keep = (cache: QueryClient) => (security: Security) => {
  cache.setQueryData(securityKey, security);
};

/** Shows what a call answered. */
export function useKeepSecurity() {
  return keep(useQueryClient());
}

export function useRemovePin() {
  const cache = useQueryClient();
  return useMutation({ mutationFn: () => call(removePin), onSuccess: keep(cache) });
}

/** Undefined if the person canceled the browser's dialog. */
export function useAddPasskey() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => {
      const { options } = await call(startPasskey);
      const response = await makePasskey(options);
      return response && call(addPasskey, { body: { name, response } });
    },
    onSuccess: (security) => security && keep(cache)(security),
  });
}

export function useRemovePasskey() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(removePasskey, { params: { passkeyId: id } }),
    onSuccess: keep(cache),
  });
}

/** Turns the app on for sign-in. If the practice requires it, the panel opens. */
export function useConfirmAuthenticator() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => call(confirmAuthenticator, { body: { code } }),
    onSuccess: ({ security }) => keep(cache)(security),
  });
}

export function useRenewRecoveryCodes() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => call(renewRecoveryCodes),
    onSuccess: ({ security }) => keep(cache)(security),
  });
}

export function useRemoveAuthenticator() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => call(removeAuthenticator),
    onSuccess: (security) => {
      keep(cache)(security);
      void cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
}

export function useRequireAuthenticator() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (required: boolean) => call(requireAuthenticator, { body: { required } }),
    onSuccess: keep(cache),
  });
}

/** Saves the minutes: this panel's timer restarts with them, and the office's other panels get a hint. */
export function useSetLockMinutes() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (minutes: number) => call(setLockMinutes, { body: { minutes } }),
    onSuccess: (security) => {
      keep(cache)(security);
      void cache.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
}
