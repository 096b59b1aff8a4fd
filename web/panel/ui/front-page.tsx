import type { CSSProperties, ReactNode } from 'react';
import { productName } from '#web/kit/title.ts';
import { classNames } from './class-names.ts';
import css from './front-page.module.css';

/** Whose page it is, when it is not the product's alone. White words stand on both colours. */
export interface Brand {
  name: string;
  /** A picture's address; null shows the name. */
  logo: string | null;
  colors: readonly [string, string];
}

export interface FrontPageProps {
  /** What stands on the coloured panel at the start. On small screens it is a band at the top. */
  aside: ReactNode;
  /** The panel is for wide screens only. */
  asideIsExtra?: boolean;
  /** Language, colours, the way out: at the top end. */
  corner: ReactNode;
  /** What everyone must know, across the page. */
  notices?: ReactNode;
  /** Below everything. */
  footer?: ReactNode;
  brand?: Brand;
  /** A long form instead of a few fields. */
  wide?: boolean;
  children: ReactNode;
}

/** What stands before the panel: a coloured panel at the start, what there is to do beside it. */
export function FrontPage({ aside, asideIsExtra, corner, notices, footer, brand, wide, children }: FrontPageProps) {
  const colors = brand && ({ '--panel-from': brand.colors[0], '--panel-to': brand.colors[1] } as CSSProperties);
  return (
    <div className={css.page}>
      {notices}
      <div className={css.split}>
        <aside className={classNames(css.panel, asideIsExtra && css.extra)} style={colors} aria-label={productName}>
          <Names brand={brand} />
          {aside}
        </aside>
        <div className={css.side}>
          <header className={css.top}>
            {asideIsExtra && <span className={css.product}>{productName}</span>}
            <div className={css.corner}>{corner}</div>
          </header>
          <main id="main" className={classNames(css.main, wide && css.wide)}>
            {children}
          </main>
        </div>
      </div>
      {footer}
    </div>
  );
}

function Names({ brand }: { brand: Brand | undefined }) {
  if (!brand) return <p className={css.name}>{productName}</p>;
  return (
    <p className={css.names}>
      {brand.logo === null ? (
        <span className={css.name}>{brand.name}</span>
      ) : (
        <img className={css.logo} src={brand.logo} alt={brand.name} />
      )}
      <span className={css.with}>
        <span aria-hidden>×</span> {productName}
      </span>
    </p>
  );
}
