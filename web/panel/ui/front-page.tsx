import type { CSSProperties, ReactNode } from 'react';
import { productName } from '#web/kit/title.ts';
import { ProductMark } from './product-mark.tsx';
import { classNames } from './class-names.ts';
import css from './front-page.module.css';

/** The brand of a page that is not the product's alone. White text must be readable on both colors. */
export interface Brand {
  name: string;
  /** The address of the logo; null shows the name. */
  logo: string | null;
  colors: readonly [string, string];
}

export interface FrontPageProps {
  /** The content of the colored panel at the side. On small screens it is a band at the top. */
  aside: ReactNode;
  /** The panel is for wide screens only. */
  asideIsExtra?: boolean;
  /** Language, colors, sign-out: in the top corner. */
  corner: ReactNode;
  /** Notices across the page. */
  notices?: ReactNode;
  /** The footer. */
  footer?: ReactNode;
  brand?: Brand;
  /** Beside the product's name on the panel. */
  tagline?: string | undefined;
  /** A long form instead of a few fields. */
  wide?: boolean;
  /** `showcase`: the panel is the larger side. `quiet`: the content comes first, and the panel is a band below it. */
  look?: 'showcase' | 'quiet';
  children: ReactNode;
}

/** The frame of the pages before the dashboards: a colored panel at the side, the page's content beside it. */
export function FrontPage({
  aside,
  asideIsExtra,
  corner,
  notices,
  footer,
  brand,
  tagline,
  wide,
  look,
  children,
}: FrontPageProps) {
  const colors = brand && ({ '--panel-from': brand.colors[0], '--panel-to': brand.colors[1] } as CSSProperties);
  const isQuiet = look === 'quiet';
  const panel = (
    <aside className={classNames(css.panel, asideIsExtra && css.extra)} style={colors} aria-label={productName}>
      {!isQuiet && <Names brand={brand} tagline={tagline} />}
      {aside}
    </aside>
  );
  return (
    <div className={css.page}>
      {notices}
      <div className={classNames(css.split, look && css[look])}>
        {!isQuiet && panel}
        <div className={css.side}>
          <header className={css.top}>
            {(asideIsExtra || isQuiet) && <span className={css.product}>{productName}</span>}
            <div className={css.corner}>{corner}</div>
          </header>
          <main id="main" className={classNames(css.main, wide && css.wide)}>
            {children}
          </main>
        </div>
        {isQuiet && panel}
      </div>
      {footer}
    </div>
  );
}

function Names({ brand, tagline }: { brand: Brand | undefined; tagline: string | undefined }) {
  if (!brand)
    return (
      <p className={css.names}>
        <ProductMark />
        <span className={css.name}>{productName}</span>
        {tagline !== undefined && <span className={css.tagline}>{tagline}</span>}
      </p>
    );
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
