import { Banners } from './banners.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { SchemeButton } from './scheme-button.tsx';

/** The same around every page before the dashboards. */
export const frame = {
  notices: <Banners />,
  corner: (
    <>
      <LanguageMenu />
      <SchemeButton />
    </>
  ),
};
