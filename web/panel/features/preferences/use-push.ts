import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { readPush, subscribePush, tryPush, unsubscribePush } from '#contract/push.ts';
import { call } from '#web/kit/call.ts';
import { forgetPushes, startWorker } from '#web/kit/push-subscription.ts';

const key = ['push'] as const;

/** The person's browsers that get pushes for this office. */
export function usePush() {
  return useQuery({ queryKey: key, queryFn: ({ signal }) => call(readPush, {}, { signal }) });
}

/** Subscribes this browser. The local provider makes up a subscription without a push service; its pushes are in the outbox. */
export function useSubscribe() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ publicKey, local }: { publicKey: string; local: boolean }) => {
      const worker = await startWorker();
      const body = local ? await localSubscription() : await subscribe(worker, publicKey);
      return call(subscribePush, { body });
    },
    onSettled: () => cache.invalidateQueries({ queryKey: key }),
  });
}

/** Ends a subscription; this browser's own is removed from the browser too. */
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

async function subscribe({ pushManager }: ServiceWorkerRegistration, publicKey: string) {
  const old = await pushManager.getSubscription();
  // A subscription made with another key of the installation would be refused.
  if (old && base64url(old.options.applicationServerKey) !== publicKey) await old.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  return {
    endpoint: subscription.endpoint,
    keys: { p256dh: base64url(subscription.getKey('p256dh')), auth: base64url(subscription.getKey('auth')) },
  };
}

async function localSubscription() {
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
