import type { ReactNode } from 'react';
import { Card } from '#web/panel/ui/card.tsx';
import { Page } from '#web/panel/ui/page.tsx';
import { Fields } from './fields.tsx';
import css from './gallery.module.css';
import { BadgesGallery } from './marks.tsx';
import { Overlays } from './overlays.tsx';
import { ButtonsGallery } from './presses.tsx';

/** Every UI part in every state, in both color schemes. Its texts are samples and not translated. */
export function GalleryPage() {
  return (
    <main id="main">
      <Page title="Gallery" wide>
        <Section title="Buttons" part={ButtonsGallery} />
        <Section title="States, marks, empties" part={BadgesGallery} />
        <Section title="Fields" part={Fields} />
        <Section title="Dialogs, menus, toasts" part={Overlays} />
      </Page>
    </main>
  );
}

function Section({ title, part: Part }: { title: string; part: () => ReactNode }) {
  return (
    <div className={css.pair}>
      <Scheme name="light">
        <Card title={title}>
          <Part />
        </Card>
      </Scheme>
      <Scheme name="dark">
        <Card title={`${title}, dark`}>
          <Part />
        </Card>
      </Scheme>
    </div>
  );
}

function Scheme({ name, children }: { name: 'light' | 'dark'; children: ReactNode }) {
  return <div className={`${css.scheme} ${css[name]}`}>{children}</div>;
}
