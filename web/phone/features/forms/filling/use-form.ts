import { useEffect, useState, useSyncExternalStore } from 'react';
import type { FormOnPhone, Opened } from '#web/questionnaire/filled-form.ts';
import { openForm } from './form-session.ts';

const watchNothing = () => () => {};
const seeNothing = (): Opened => 'loading';

/** Forms on screen, and forms just left whose last answers wait for the network. */
const open = new Map<string, { phone: FormOnPhone; users: number }>();

/** Opens a form while it is on screen; `today` is the office's day. */
export function useForm(token: string, memberId: string, formType: string, today: string) {
  const [phone, setPhone] = useState<FormOnPhone | null>(null);
  useEffect(() => {
    const key = [token, memberId, formType].join('/');
    const begin = () => openForm({ token, memberId, formType }, today);
    const held = open.get(key) ?? { phone: begin(), users: 0 };
    open.set(key, held);
    held.users++;
    setPhone(held.phone);
    const leave = async () => {
      await held.phone.save();
      if (held.users > 0) return;
      held.phone.stop();
      if (open.get(key) === held) open.delete(key);
    };
    return () => {
      held.users--;
      void leave();
    };
  }, [token, memberId, formType, today]);
  const opened = useSyncExternalStore(phone?.watch ?? watchNothing, phone?.now ?? seeNothing);
  return { opened, phone };
}
