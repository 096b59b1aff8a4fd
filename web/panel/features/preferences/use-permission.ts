import { useEffect, useState } from 'react';

/** Whether this page may show desktop notifications. `unsupported` if the browser cannot or the page is not secure. */
export type Permission = NotificationPermission | 'unsupported';

const now = (): Permission => ('Notification' in window && isSecureContext ? Notification.permission : 'unsupported');

/** The current permission, also after a change in the browser's settings, and a function that requests it. */
export function usePermission(): [Permission, () => Promise<Permission>] {
  const [permission, setPermission] = useState(now);
  useEffect(() => {
    const off = new AbortController();
    const look = () => setPermission(now());
    void navigator.permissions
      ?.query({ name: 'notifications' })
      .then((status) => status.addEventListener('change', look, { signal: off.signal }))
      .catch(() => undefined);
    addEventListener('focus', look, { signal: off.signal });
    return () => off.abort();
  }, []);
  const ask = async () => {
    await Notification.requestPermission();
    setPermission(now());
    return now();
  };
  return [permission, ask];
}
