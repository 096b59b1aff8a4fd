import { expect, test } from 'vitest';
import type { Session } from '#web/kit/session.ts';
import { panelTabs } from './tabs.ts';

const chatTabs = panelTabs.filter(({ to }) => to === '/dashboard/chat');
const shows = (office: { chatEnabled?: boolean; appointmentsEnabled?: boolean }, flags: Session['flags'] = {}) =>
  chatTabs.some((tab) =>
    tab.shown({
      gate: { because: 'ready' },
      flags,
      office: { chatEnabled: false, appointmentsEnabled: false, ...office },
    } as Session),
  );

test('the Website Chatbox has its tab with the chat, with appointments alone, and without the Check-in tab', () => {
  expect(shows({ chatEnabled: true })).toBe(true);
  expect(shows({ appointmentsEnabled: true })).toBe(true);
  expect(shows({})).toBe(false);
  expect(shows({}, { disableCheckin: true })).toBe(true);
});
