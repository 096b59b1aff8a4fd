import '#web/kit/styles/tokens.css';
import '#web/kit/styles/base.css';
import './widget.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import type { WidgetBoot } from '#contract/website-chat.ts';
import { boot } from '#web/kit/boot.ts';
import { startMessages } from '#web/kit/i18n.ts';
import { tellWebsite } from '#web/widget/features/website/index.ts';
import { showOfficeColor } from '#web/widget/ui/office-color.ts';
import { WidgetApp } from './widget-app.tsx';

const { front } = boot<WidgetBoot>();
// Before anything that waits: the website's script takes a frame that says nothing for one that the browser did not allow.
tellWebsite({ chat: 'ready', color: front?.color });
if (front) showOfficeColor(front.color);
// English is in the files that show it (vite.config.ts).
const messages = { en: () => ({ messages: {} }), es: () => import('#web/widget/locales/es.po') };
/** The language of the website, which its script adds to the address. */
const ofWebsite = new URLSearchParams(location.search).get('lang');
await startMessages(messages, ofWebsite).catch(() => startMessages(messages, 'en'));
const page = createRoot(document.getElementById('root')!);
// Synchronously: otherwise React would paint an empty first frame.
flushSync(() =>
  page.render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <WidgetApp />
      </I18nProvider>
    </StrictMode>,
  ),
);
