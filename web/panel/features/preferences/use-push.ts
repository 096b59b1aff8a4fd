import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { readPush, subscribePush, tryPush, unsubscribePush } from '#contract/push.ts';
import { call } from '#web/kit/call.ts';
import { forgetPushes, startWorker } from '#web/kit/push-subscription.ts';

const key = ['push'] as const;

/** The person's browsers that are pushed to at this office. */
export function usePush() {
  return useQuery({ queryKey: key, queryFn: ({ signal }) => call(readPush, {}, { signal }) });
}

/** Subscribes this browser. With the stand-in no push service is asked: the subscription is made up, and pushes are in the outbox. */
export function useSubscribe() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ publicKey, local }: { publicKey: string; local: boolean }) => {
      const worker = await startWorker();
      const body = local ? await madeUp() : await asked(worker, publicKey);
      return call(subscribePush, { body });
    },
    onSettled: () => cache.invalidateQueries({ queryKey: key }),
  });
}

/** Ends a subscription; this browser's own also in the browser. */
export function useUnsubscribe() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, isThisDevice }: { id: string; isThisDevice: boolean }) => {
      await call(unsubscribePush, { params: { subscriptionId: id } });
      if (isThisDevice) await forgetPushes();
    },
    onSettled: () => cache.invalidateQueries({ queryKey: key }),
  });
}

export function useTryPush() {
  return useMutation({ mutationFn: (id: string) => call(tryPush, { params: { subscriptionId: id } }) });
}

async function asked({ pushManager }: ServiceWorkerRegistration, publicKey: string) {
  const old = await pushManager.getSubscription();
  // One made with another key of the installation would be refused.
  if (old && base64url(old.options.applicationServerKey) !== publicKey) await old.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  return {
    endpoint: subscription.endpoint,
    keys: { p256dh: base64url(subscription.getKey('p256dh')), auth: base64url(subscription.getKey('auth')) },
  };
}

async function madeUp() {
  const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
  const point = await crypto.subtle.exportKey('raw', publicKey);
  return {
    endpoint: `https://push.anteroom.test/${crypto.randomUUID()}`,
    keys: { p256dh: base64url(point), auth: base64url(crypto.getRandomValues(new Uint8Array(16)).buffer) },
  };
}

function base64url(bytes: ArrayBuffer | null): string {
  const text = String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0)));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
