import { Banners } from '#web/panel/app/banners.tsx';
import { DemoLabel } from '#web/panel/app/demo-label.tsx';
import { LanguageMenu } from '#web/panel/app/language-menu.tsx';
import { SchemeButton } from '#web/panel/app/color-scheme-button.tsx';

/** The frame of every page before the dashboards. */
export const entryFrame = {
  notices: <Banners />,
  corner: (
    <>
      <DemoLabel />
      <LanguageMenu />
      <SchemeButton />
    </>
  ),
};
