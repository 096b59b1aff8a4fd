import { escapeHtml as e } from '#server/kit/http/openapi-page.ts';
import type { ScreenMessages, TourMessages } from './messages.ts';

/** Shapes from Lucide (ISC license), as on the screens themselves. The page draws each one with `icon`. */
const shapes = {
  car: '<path d="M19 17h2c.6 0 1-.4 1-1v-3c0-.9-.7-1.7-1.5-1.9C18.7 10.6 16 10 16 10s-1.3-1.4-2.2-2.3c-.5-.4-1.1-.7-1.8-.7H5c-.6 0-1.1.4-1.4.9l-1.4 2.9A3.7 3.7 0 0 0 2 12v4c0 .6.4 1 1 1h2"/><circle cx="7" cy="17" r="2"/><path d="M9 17h6"/><circle cx="17" cy="17" r="2"/>',
  check: '<path d="M20 6 9 17l-5-5"/>',
  clock: '<path d="M12 6v6l4 2"/><circle cx="12" cy="12" r="10"/>',
  door: '<path d="M11 20H2"/><path d="M11 4.562v16.157a1 1 0 0 0 1.242.97L19 20V5.562a2 2 0 0 0-1.515-1.94l-4-1A2 2 0 0 0 11 4.561z"/><path d="M11 4H8a2 2 0 0 0-2 2v14"/><path d="M14 12h.01"/><path d="M22 20h-3"/>',
  form: '<path d="M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z"/><path d="M14 2v5a1 1 0 0 0 1 1h5"/><path d="M10 9H8"/><path d="M16 13H8"/><path d="M16 17H8"/>',
  redo: '<path d="M21 12a9 9 0 1 1-9-9c2.52 0 4.93 1 6.74 2.74L21 8"/><path d="M21 3v5h-5"/>',
  send: '<path d="M14.536 21.686a.5.5 0 0 0 .937-.024l6.5-19a.496.496 0 0 0-.635-.635l-19 6.5a.5.5 0 0 0-.024.937l7.93 3.18a2 2 0 0 1 1.112 1.11z"/><path d="m21.854 2.147-10.94 10.939"/>',
  shield:
    '<path d="M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1z"/><path d="m9 12 2 2 4-4"/>',
  walk: '<path d="M4 16v-2.38C4 11.5 2.97 10.5 3 8c.03-2.72 1.49-6 4.5-6C9.37 2 10 3.8 10 5.5c0 3.11-2 5.66-2 8.68V16a2 2 0 1 1-4 0Z"/><path d="M20 20v-2.38c0-2.12 1.03-3.12 1-5.62-.03-2.72-1.49-6-4.5-6C14.63 6 14 7.8 14 9.5c0 3.11 2 5.66 2 8.68V20a2 2 0 1 0 4 0Z"/><path d="M16 17h4"/><path d="M4 13h4"/>',
} as const;

/** The shapes, once in a page; every icon refers to one. */
export const iconSheet = `<svg hidden>${Object.entries(shapes)
  .map(([name, shape]) => `<symbol id="icon-${name}" viewBox="0 0 24 24">${shape}</symbol>`)
  .join('')}</svg>`;

export const icon = (name: keyof typeof shapes, size = 16) =>
  `<svg class="icon" width="${size}" height="${size}" aria-hidden="true"><use href="#icon-${name}"/></svg>`;

/** The product's mark (web/kit/styles/icon.svg). */
export const mark =
  '<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#087f5b"/><g fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"><path d="M9 25V8.5A1.5 1.5 0 0 1 10.5 7H21.5A1.5 1.5 0 0 1 23 8.5V25"/><path d="M6.5 25h19"/><path d="M18.8 16.2v.1"/></g></svg>';

const office = 'Lakeside Medical &amp; Dental';
const arriving = 'Ana Rivera';

/** The moving picture of a check-in, as on the panel's entrance (web/panel/app/entry/product-scene.tsx): one style for both. */
export function scene(product: string, { scene: description, pause, screens: s }: TourMessages): string {
  const waiting = `<span class="scene-badge">${icon('clock', 12)}${e(s.waiting)}</span>`;
  const invited = `<span class="scene-badge scene-invited">${icon('send', 12)}${e(s.invited)}</span>`;
  const going = `<span class="scene-badge scene-going">${icon('walk', 12)}${e(s.onTheWay)}</span>`;
  const names = s.formNames.map((name) => `<li>${icon('check', 12)}${e(name)}</li>`);
  const forms = `<span>${e(s.forms.replace('{done}', '4').replace('{all}', '4'))}</span><ul class="scene-forms">${names.join('')}</ul>`;
  const restingButton = `<span class="scene-step"><span class="scene-button">${icon('send', 14)}${e(s.invite)}</span></span>`;
  const callButton = `<span class="scene-step"><span class="scene-button scene-again scene-after">${icon('send', 14)}${e(s.reinvite)}</span><span class="scene-button scene-pressed">${icon('send', 14)}${e(s.invite)}</span></span>`;
  return `<figure class="scene">
<span class="unseen">${e(description)}</span>
<input type="checkbox" id="pause" class="scene-pause">
<div class="scene-stage" aria-hidden="true">
<div class="scene-phone">${checkIn(s)}${waits(s)}${called(s)}</div>
<div class="scene-desk">
<div class="scene-bar"><strong>${e(product)}</strong><span>${office}</span></div>
<div class="scene-panes">
<div class="scene-list">
${row(arriving, '9:41', `<span class="scene-before">${waiting}</span><span class="scene-after">${invited}</span>`, 'arriving')}
${row('Daniel Moreau', '9:33', waiting)}
${row('Maria Lopez', '9:20', going)}
${callButton}
</div>
<div class="scene-detail"><div class="scene-person scene-first"><strong>Daniel Moreau</strong>${forms}${restingButton}</div>
<div class="scene-person scene-chosen"><strong>${arriving}</strong>${forms}${callButton}</div></div>
</div>
</div>
<div class="scene-phone scene-last-still">${called(s)}</div>
</div>
<label for="pause" class="scene-pause-label">${e(pause)}</label>
</figure>`;
}

const row = (name: string, time: string, status: string, kind = 'other') =>
  `<div class="scene-row scene-${kind}"><span class="scene-avatar">${initials(name)}</span><span class="scene-name">${name}</span><small>${time}</small><span class="scene-status">${status}</span></div>`;

const initials = (name: string) =>
  name
    .split(' ')
    .map((word) => word[0])
    .join('');

const field = (label: string, value: string) =>
  `<span class="scene-field"><small>${e(label)}</small><span>${value}</span></span>`;

const checkIn = (s: ScreenMessages) =>
  `<div class="scene-screen scene-check-in"><strong>${e(s.checkIn)}</strong>${field(s.name, arriving)}${field(s.mobile, '(917) 555-0142')}<span class="scene-button scene-tapped">${icon('check', 14)}${e(s.here)}</span></div>`;

const waits = (s: ScreenMessages) =>
  `<div class="scene-screen scene-waiting"><span class="scene-mark">${icon('car', 26)}</span><strong>${e(s.checkedIn)}</strong><span>${e(s.wait)}</span></div>`;

const called = (s: ScreenMessages) =>
  `<div class="scene-screen scene-called"><span class="scene-mark">${icon('door', 26)}</span><strong>${e(s.comeIn)}</strong><span class="scene-button">${icon('walk', 14)}${e(s.onMyWay)}</span></div>`;

/** The phone that says "I'm here"; its button is pressed again and again. */
export const arrivalPicture = (s: ScreenMessages) =>
  `<div class="picture" aria-hidden="true"><div class="scene-phone"><div class="scene-screen still"><small>${office}</small><strong>${e(s.checkIn)}</strong>${field(s.name, arriving)}${field(s.mobile, '(917) 555-0142')}<span class="scene-button scene-tapped">${icon('check', 14)}${e(s.here)}</span></div></div></div>`;

/** The forms, which are ticked one after the other. */
export const formsPicture = (s: ScreenMessages) =>
  `<div class="picture" aria-hidden="true"><div class="scene-phone"><div class="scene-screen still"><strong>${e(s.yourForms)}</strong>${s.formNames
    .map((name) => `<span class="form">${icon('form', 14)}<span>${e(name)}</span>${icon('check', 14)}</span>`)
    .join('')}<span class="bar"><span></span></span></div></div></div>`;

/** A conversation, one message after the other. */
export const textsPicture = (s: ScreenMessages) =>
  `<div class="picture" aria-hidden="true"><div class="card"><strong>${arriving}</strong>${s.texts
    .map(({ from, text }) => `<span class="bubble ${from}">${e(text)}</span>`)
    .join('')}</div></div>`;

/** Who did what: the activity log. */
export const activityPicture = ({ pictures }: TourMessages) =>
  `<div class="picture small" aria-hidden="true"><div class="card"><strong>${e(pictures.log)}</strong>${pictures.activity
    .map(({ who, did, at }) => `<span class="logged"><span>${e(did)}</span><small>${e(who)}, ${at}</small></span>`)
    .join('')}</div></div>`;

/** A patient's answers as a file for the chart. */
export const pdfPicture = ({ pictures }: TourMessages) =>
  `<div class="picture small" aria-hidden="true"><div class="card"><span class="file">${icon('form', 18)}<strong>${e(pictures.pdf)}</strong></span>${pictures.lines
    .map((line) => `<span>${e(line)}</span>`)
    .join('')}</div></div>`;
