import { useEffect, useState } from 'react';

/** May this page show notes on the desk's screen? `unsupported` where the browser cannot, or the page is not secure. */
export type Permission = NotificationPermission | 'unsupported';

const now = (): Permission => ('Notification' in window && isSecureContext ? Notification.permission : 'unsupported');

/** The permission as it is, also when it is changed in the browser's own settings; and the question for it. */
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
