import { documentPath } from '#contract/documents.ts';
import { systems } from '#contract/practice/systems.ts';
import { languages, type Language } from '#contract/shapes.ts';
import { formatPhone } from '#contract/phone-format.ts';
import { locales } from '#questionnaire/language/language.ts';
import { formatPlanPrice } from '#contract/plan-price.ts';
import { plans, trialDays, type Plan } from '#contract/subscription.ts';
import { demoOfficePath, requestDemoPath, setUpPath, tourPath } from '#contract/tour.ts';
import { htmlPage } from '#server/kit/http/html-page.ts';
import { escapeHtml as e } from '#server/kit/http/openapi-page.ts';
import { en } from './messages-en.ts';
import { es } from './messages-es.ts';
import type { TourMessages } from './messages.ts';
import {
  activityPicture,
  arrivalPicture,
  formsPicture,
  icon,
  iconSheet,
  mark,
  pdfPicture,
  scene,
  textsPicture,
} from './scene.ts';

interface Tour {
  product: string;
  /** The company that runs it. */
  operator: string;
  publicUrl: string;
  language: Language;
  /** Changes with the page's style and script. */
  version: string;
  /** Null: unknown right now. */
  cents: Record<Plan, number> | null;
  demo: boolean;
  /** The operator's number for practices, if there is one. */
  phone: string | null;
}

const messages: Record<Language, TourMessages> = { en, es };
const languageNames: Record<Language, string> = { en: 'English', es: 'Español' };
const planNames: Record<Plan, string> = { pilot: 'Pilot', lite: 'Lite', prime: 'Prime' };

/** AthenaOne has a connection and a sentence of its own. */
const notListed = ['AthenaOne', 'N/A'];
const first = ['Dentrix', 'Eaglesoft', 'Open Dental', 'Epic'];
const systemNames = [...first, ...systems.filter((system) => ![...notListed, ...first].includes(system))];

/** The address that search engines list for each language. */
export const canonicalPath = (language: Language) => (language === 'en' ? tourPath() : tourPath(language));

/** The tour. It works without its script, except for the queue to try. */
export function tourPage(tour: Tour): string {
  const { product, language, version, publicUrl } = tour;
  const t = messages[language];
  const named = (text: string) => e(text.replaceAll('{product}', product));
  const alternates = languages.map(
    (other) => `<link rel="alternate" hreflang="${other}" href="${e(publicUrl + canonicalPath(other))}">`,
  );
  return htmlPage({
    language,
    title: t.title.replaceAll('{product}', product),
    style: `/tour/page.css?v=${version}`,
    head: `<meta name="description" content="${named(t.description)}">
<link rel="canonical" href="${e(publicUrl + canonicalPath(language))}">
${alternates.join('\n')}
<meta property="og:type" content="website">
<meta property="og:title" content="${named(t.title)}">
<meta property="og:description" content="${named(t.description)}">
<meta property="og:url" content="${e(publicUrl + canonicalPath(language))}">
<script src="/tour/page.js?v=${version}"></script>
`,
    body: `${iconSheet}
<a class="skip" href="#main">${e(t.skip)}</a>
${header(product, language, t)}
<main id="main">
${hero(tour, t, named)}
${queue(tour, t)}
${visit(t)}
${whom(t)}
${hipaa(language, t)}
${price(tour.cents, language, t)}
${end(tour.phone, t)}
</main>
${footer(tour.operator, language, t)}`,
  });
}

function header(product: string, language: Language, t: TourMessages): string {
  const others = languages.filter((other) => other !== language);
  const choices = others.map(
    (other) => `<a href="${tourPath(other)}" hreflang="${other}" lang="${other}">${languageNames[other]}</a>`,
  );
  return `<header class="top">
<a class="product" href="/">${mark}${e(product)}</a>
<nav class="parts" aria-label="${e(t.parts.label)}"><a href="#price">${e(t.parts.price)}</a><a href="#hipaa">HIPAA</a><a href="#software">${e(t.parts.software)}</a></nav>
<nav class="languages" aria-label="${e(t.language)}">${choices.join('')}</nav>
<a class="button" href="/">${e(t.signIn)}</a>
</header>`;
}

/** The two ways on. */
const entryPoints = (t: TourMessages) =>
  `<p class="ways"><a class="button filled" href="${setUpPath}">${e(t.setUp)}</a><a class="button" href="#queue">${e(t.seeQueue)}</a></p>`;

function hero({ product, cents, language }: Tour, t: TourMessages, named: (text: string) => string): string {
  const { facts } = t;
  const listed = [
    facts.hipaa,
    ...(cents ? [facts.from(formatPlanPrice(cents.pilot, locales[language]))] : []),
    facts.trial(trialDays),
    facts.languages,
  ];
  return `<section class="hero">
<div>
<h1>${e(t.promise)}</h1>
<p class="lead">${named(t.lead)}</p>
${entryPoints(t)}
<ul class="facts">${listed.map((fact) => `<li>${icon('check')}${e(fact)}</li>`).join('')}</ul>
</div>
<div class="stage">${scene(product, t)}</div>
</section>`;
}

function visit(t: TourMessages): string {
  const pictures = [arrivalPicture, formsPicture, textsPicture];
  const steps = t.steps.map(
    ({ title, text }, i) => `<li>${pictures[i]?.(t.screens) ?? ''}<h3>${i + 1}. ${e(title)}</h3><p>${e(text)}</p></li>`,
  );
  return `<section aria-labelledby="visit"><h2 id="visit">${e(t.visit)}</h2><ol class="steps">${steps.join('')}</ol></section>`;
}

/** The queue to try: page.js draws the phone and the desk from `data`. */
function queue({ product, demo }: Tour, t: TourMessages): string {
  const data = JSON.stringify({ product, ...t.queue, ...t.screens }).replace(/</g, '\\u003c');
  return `<section class="band" id="queue" aria-labelledby="queue-title" tabindex="-1">
<h2 id="queue-title">${e(t.queue.title)}</h2>
<p class="lead">${e(t.queue.text)}</p>
<noscript><p class="note">${e(t.queue.script)}</p></noscript>
<div class="try" id="try" hidden></div>
<p class="unseen" id="said" role="status"></p>
${demo ? `<p class="ways"><a class="button filled" href="${demoOfficePath}">${e(t.queue.openDemo)}</a></p>` : ''}
<script type="application/json" id="data">${data}</script>
</section>`;
}

function whom(t: TourMessages): string {
  const practices = t.whom.practices.map(
    ({ title, text }) => `<li class="tile"><h3>${e(title)}</h3><p>${e(text)}</p></li>`,
  );
  const software = systemNames.map((system) => `<li>${e(system)}</li>`);
  const connections = t.whom.software.map((text) => `<li>${icon('check')}${e(text)}</li>`);
  return `<section class="band" aria-labelledby="whom"><h2 id="whom">${e(t.whom.title)}</h2>
<ul class="tiles">${practices.join('')}</ul>
</section>
<section aria-labelledby="software"><h2 id="software">${e(t.whom.softwareTitle)}</h2>
<div class="beside"><ul class="points">${connections.join('')}</ul>${pdfPicture(t)}</div>
<p>${e(t.whom.choose)}</p>
<ul class="chips">${software.join('')}</ul></section>`;
}

function hipaa(language: Language, t: TourMessages): string {
  const { title, points, agreement, privacy, terms } = t.hipaa;
  const links = [
    [documentPath('baa.pdf', language), agreement],
    [documentPath('privacy.pdf', language), privacy],
    [documentPath('terms.pdf', language), terms],
  ] as const;
  return `<section class="band" aria-labelledby="hipaa"><h2 id="hipaa">${e(title)}</h2>
<div class="beside"><ul class="points">${points.map((point) => `<li>${icon('shield')}${e(point)}</li>`).join('')}</ul>${activityPicture(t)}</div>
<p class="links">${links.map(([path, name]) => `<a href="${e(path)}">${e(name)}</a>`).join('')}</p></section>`;
}

function price(cents: Tour['cents'], language: Language, t: TourMessages): string {
  const tiles = plans.map((plan, i) => {
    const before = plans[i - 1];
    const amount = cents
      ? `<p><strong class="amount">${formatPlanPrice(cents[plan], locales[language])}</strong> ${e(t.price.month)}</p>`
      : '';
    const features = t.price.plans[plan].map((feature) => `<li>${icon('check')}${e(feature)}</li>`);
    return `<li class="tile"><h3>${planNames[plan]}</h3>${amount}
${before ? `<p class="quiet">${e(t.price.includes(planNames[before]))}</p>` : ''}<ul class="features">${features.join('')}</ul>${cents ? `<p class="quiet">${e(t.price.three(formatPlanPrice(3 * cents[plan], locales[language])))}</p>` : ''}</li>`;
  });
  return `<section aria-labelledby="price"><h2 id="price">${e(t.price.title)}</h2>
<p class="lead">${e(cents ? t.price.each : t.price.unknown)} ${e(t.price.trial(trialDays))}</p>
<ul class="tiles plans">${tiles.join('')}</ul>
<p>${e(t.price.later(trialDays))}</p>
<p class="ways"><a class="button filled" href="${setUpPath}">${e(t.price.start)}</a></p></section>`;
}

function end(phone: string | null, t: TourMessages): string {
  const steps = t.end.steps.map(
    (step, i) => `<li><span class="number" aria-hidden="true">${i + 1}</span>${e(step)}</li>`,
  );
  return `<section class="end" aria-labelledby="end"><h2 id="end">${e(t.end.title)}</h2>
<ol class="path">${steps.join('')}</ol>
${entryPoints(t)}
<p class="links">${e(t.end.demo)} <a href="${requestDemoPath}">${e(t.end.requestDemo)}</a>${
    phone ? `<a href="tel:${e(phone)}">${e(t.end.call)}: ${e(formatPhone(phone))}</a>` : ''
  }</p></section>`;
}

function footer(operator: string, language: Language, t: TourMessages): string {
  return `<footer class="foot"><span>${e(operator)}</span><a href="${e(documentPath('terms.pdf', language))}">${e(t.hipaa.terms)}</a><a href="${e(documentPath('privacy.pdf', language))}">${e(t.hipaa.privacy)}</a><a href="${e(documentPath('baa.pdf', language))}">${e(t.hipaa.baa)}</a></footer>`;
}
