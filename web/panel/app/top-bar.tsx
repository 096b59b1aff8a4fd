import { useLingui } from '@lingui/react/macro';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useLanguage } from '#web/kit/i18n.ts';
import { useSession } from '#web/kit/session.ts';
import { CallbackAlarm, CallbackCount } from '#web/panel/features/ambulatory/callback-alarm.tsx';
import { OpenQuestionCount } from '#web/panel/features/copay/open-question-count.tsx';
import { NewMessages, UnreadCount } from '#web/panel/features/inbox/unread-count.tsx';
import { NewArrivalCount, QueueNews } from '#web/panel/features/queue/news/queue-news.tsx';
import { productName } from '#web/kit/title.ts';
import { DemoLabel } from './demo-label.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { OfficeSwitcher } from './office-switcher.tsx';
import { ProfileMenu } from './profile-menu.tsx';
import { hasCheckinTab, isAmbulatoryOffice, panelTabs } from './tabs.ts';
import { SchemeButton } from './color-scheme-button.tsx';
import css from './top-bar.module.css';

export function TopBar() {
  const { t } = useLingui();
  const session = useSession();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const tabs = panelTabs.filter((tab) => tab.shown(session));
  const hasQueue = hasCheckinTab(session);
  const nav = useRef<HTMLElement>(null);
  const language = useLanguage();
  // On a phone the tabs scroll: the current one is never out of sight.
  // Only after the next paint: asking the browser lays out the page, which the first cards would wait for. A count that arrives later moves
  // the tabs after it.
  useEffect(() => {
    const bar = nav.current;
    const showCurrent = () =>
      bar?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
    const timer = setTimeout(showCurrent);
    const tabSizes = new ResizeObserver(showCurrent);
    for (const tab of bar?.children ?? []) tabSizes.observe(tab);
    return () => {
      clearTimeout(timer);
      tabSizes.disconnect();
    };
  }, [path, language, tabs.length]);
  return (
    <header className={css.bar}>
      <div className={css.brand}>
        <span className={css.product}>{productName}</span>
        <OfficeSwitcher inBar />
      </div>
      <nav ref={nav} className={css.tabs} aria-label={t`Main`}>
        {tabs.map(({ to, also, label, icon: TabIcon, iconOnly }) => (
          <Link
            key={to}
            to={to}
            className={css.tab}
            activeOptions={{ exact: to === '/dashboard' || to === '/sms-dashboard', includeSearch: false }}
            aria-current={path === also ? 'page' : undefined}
            aria-label={iconOnly && t(label)}
            title={iconOnly && t(label)}
          >
            <TabIcon size={iconOnly ? 18 : 16} />
            {!iconOnly && t(label)}
            {to === '/dashboard' && hasQueue && <NewArrivalCount />}
            {to === '/dashboard/messages' && <UnreadCount />}
            {to === '/dashboard/chat' && <UnreadCount of={isAmbulatoryOffice(session) ? 'unread' : 'unreadChats'} />}
            {to === '/dashboard/patients' && <CallbackCount />}
            {to === '/dashboard/transactions' && <OpenQuestionCount />}
          </Link>
        ))}
      </nav>
      {tabs.some(({ to }) => to === '/dashboard/messages' || to === '/dashboard/chat') && <NewMessages />}
      {hasQueue && <QueueNews key={session.office?.id} />}
      {isAmbulatoryOffice(session) && <CallbackAlarm />}
      <div className={css.end}>
        <DemoLabel />
        <LanguageMenu />
        <SchemeButton />
        <ProfileMenu />
      </div>
    </header>
  );
}
