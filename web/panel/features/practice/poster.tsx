import type { PosterFacts } from './use-poster.ts';
import css from './poster.module.css';
import { posterMessages } from './poster-messages.ts';

/** One letter-size page: black on white in both color schemes, English and Spanish side by side. */
export function Poster({ officeName, url, qrSvg }: PosterFacts) {
  return (
    <article className={css.poster} aria-label={officeName}>
      <p className={css.office}>
        <bdi>{officeName}</bdi>
      </p>
      <div className={css.titles}>
        <p lang="en">{posterMessages.en.title}</p>
        <p lang="es">{posterMessages.es.title}</p>
      </div>
      <img className={css.code} src={`data:image/svg+xml,${encodeURIComponent(qrSvg)}`} alt={url} />
      <div className={css.both}>
        {(['en', 'es'] as const).map((language) => (
          <ol key={language} lang={language} className={css.steps}>
            {posterMessages[language].steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        ))}
      </div>
      <div className={css.address}>
        <p className={css.orType}>
          <span lang="en">{posterMessages.en.orType}</span> · <span lang="es">{posterMessages.es.orType}</span>
        </p>
        <p className={css.url} dir="ltr">
          {url.replace(/^https?:\/\//, '')}
        </p>
      </div>
    </article>
  );
}
