export { openChat } from './start-chat.ts';
export { readWidgetPage, type WidgetPage } from './widget-page.ts';
